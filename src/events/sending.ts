import { type Clock, shift, toInstant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import type { Attempt, MakeAttempt } from "./attempt.ts";
import type { Lanes, Slot } from "./lanes.ts";
import type { ErrorClass } from "./outbound/outcome.ts";
import type { Work } from "./work.ts";

interface SendingOptions {
  clock: Clock;
  lanes: Lanes;
  makeAttempt: MakeAttempt;
  /** The longest an attempt can take, in milliseconds. */
  timeout: number;
  /** Whether anything may be begun. */
  mayBegin: () => boolean;
  workOf: (orgId: OrgId) => Work;
  /** An attempt has ended, or was not made: there is something to write, and a slot is free. */
  onEnd: (work: Work) => void;
  /** Attempts can't be made, since the organization's records can't be used. */
  onUnusable: (orgId: OrgId, err: unknown) => void;
}

const blockedCheck = 250;

/** Attempts that ended, by how they did. */
export interface Tally {
  succeeded: number;
  failed: number;
}

/** The attempts under way: begins the next whenever a slot is free. */
export class Sending {
  readonly #options: SendingOptions;
  /** Since the beginning. */
  readonly tally: Tally = { succeeded: 0, failed: 0 };
  /** The same in detail: by how they ended. */
  readonly outcomes = new Map<ErrorClass | "succeeded", number>();
  #blocked: ReturnType<typeof setTimeout> | undefined;
  #spaced: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SendingOptions) {
    this.#options = options;
  }

  next(): void {
    const { lanes, mayBegin } = this.#options;
    if (!mayBegin()) return;
    for (let slot = lanes.next(); slot !== undefined; slot = lanes.next()) this.#begin(slot);
    if (lanes.isBlocked) this.#unblockLater();
    this.#goOnIn(lanes.untilHanging);
  }

  stop(): void {
    clearTimeout(this.#blocked);
    clearTimeout(this.#spaced);
  }

  /** Attempts at endpoints that hang begin one by one. */
  #goOnIn(wait: number | undefined): void {
    if (wait === undefined) return;
    this.#spaced ??= setTimeout(() => {
      this.#spaced = undefined;
      this.next();
    }, Math.ceil(wait));
  }

  /** Attempts that have become slow make room for others, though none ends. */
  #unblockLater(): void {
    this.#blocked ??= setTimeout(() => {
      this.#blocked = undefined;
      this.#options.lanes.setSlowAside();
      this.next();
    }, blockedCheck);
  }

  #begin(slot: Slot): void {
    const { clock, timeout, makeAttempt, workOf, onUnusable } = this.#options;
    const { orgId, delivery } = slot;
    const work = workOf(orgId);
    work.begun();
    if (delivery.leaseUntil < shift(toInstant(clock.now()), timeout)) {
      this.#skip(work, slot);
      return;
    }
    const fail = (err: unknown) => {
      if (work.putOff()) onUnusable(orgId, err);
      this.#skip(work, slot);
    };
    void makeAttempt(work.tenant, delivery)
      .then((attempt) => this.#end(work, slot, attempt), fail)
      .then(() => this.next());
  }

  #end(work: Work, slot: Slot, attempt: Attempt): void {
    work.ended(attempt);
    this.tally[attempt.outcome.errorClass === null ? "succeeded" : "failed"] += 1;
    const outcome = attempt.outcome.errorClass ?? "succeeded";
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    const how = attempt.outcome.errorClass === "timeout" ? "hung" : "answered";
    work.givenBack(this.#options.lanes.end(slot, how));
    this.#options.onEnd(work);
  }

  /** Gives back what was begun, without an attempt. */
  #skip(work: Work, slot: Slot): void {
    this.#options.lanes.end(slot, "unmade");
    work.skipped(slot.delivery);
    this.#options.onEnd(work);
  }
}
