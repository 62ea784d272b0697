import { type Clock, shift, toInstant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import type { Attempt, MakeAttempt } from "./attempt.ts";
import type { EndpointQueues, Slot } from "./endpoint-queues.ts";
import type { OrganizationState } from "./organization-state.ts";
import type { ErrorClass } from "./outbound/outcome.ts";

interface AttemptRunnerOptions {
  clock: Clock;
  queues: EndpointQueues;
  makeAttempt: MakeAttempt;
  /** The longest duration of an attempt, in milliseconds. */
  timeout: number;
  /** Whether attempts may start. */
  mayStart: () => boolean;
  stateOf: (orgId: OrgId) => OrganizationState;
  /** Called when an attempt ended or was skipped: there is something to write, and a slot is free. */
  onEnd: (state: OrganizationState) => void;
  /** Called when the organization's records can't be used, so that no attempt can be made. */
  onUnusable: (orgId: OrgId, err: unknown) => void;
}

/** Milliseconds after which a blocked runner looks for attempts that have become slow. */
const slowCheckDelay = 250;

/** Attempts that ended. */
export interface AttemptCounts {
  succeeded: number;
  failed: number;
}

/** Runs attempts: starts the next one whenever a slot is free. */
export class AttemptRunner {
  readonly #options: AttemptRunnerOptions;
  /** Since the process started. */
  readonly counts: AttemptCounts = { succeeded: 0, failed: 0 };
  /** The same, by error class. */
  readonly outcomes = new Map<ErrorClass | "succeeded", number>();
  #slowCheckTimer: ReturnType<typeof setTimeout> | undefined;
  #hangingTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: AttemptRunnerOptions) {
    this.#options = options;
  }

  startNext(): void {
    const { queues, mayStart } = this.#options;
    if (!mayStart()) return;
    for (let slot = queues.next(); slot !== undefined; slot = queues.next()) this.#start(slot);
    if (queues.isBlocked) this.#scheduleSlowCheck();
    this.#scheduleHanging(queues.hangingDelay);
  }

  stop(): void {
    clearTimeout(this.#slowCheckTimer);
    clearTimeout(this.#hangingTimer);
  }

  /** Schedules the next attempt at an endpoint that hangs: these start one by one. */
  #scheduleHanging(delay: number | undefined): void {
    if (delay === undefined) return;
    this.#hangingTimer ??= setTimeout(() => {
      this.#hangingTimer = undefined;
      this.startNext();
    }, Math.ceil(delay));
  }

  /** Attempts that have become slow free their quick slots before they end. */
  #scheduleSlowCheck(): void {
    this.#slowCheckTimer ??= setTimeout(() => {
      this.#slowCheckTimer = undefined;
      this.#options.queues.moveSlowAttempts();
      this.startNext();
    }, slowCheckDelay);
  }

  #start(slot: Slot): void {
    const { clock, timeout, makeAttempt, stateOf, onUnusable } = this.#options;
    const { orgId, delivery } = slot;
    const state = stateOf(orgId);
    state.onStarted();
    if (delivery.leaseUntil < shift(toInstant(clock.now()), timeout)) {
      this.#skip(state, slot);
      return;
    }
    const fail = (err: unknown) => {
      if (state.suspend()) onUnusable(orgId, err);
      this.#skip(state, slot);
    };
    void makeAttempt(state.tenant, delivery)
      .then((attempt) => this.#end(state, slot, attempt), fail)
      .then(() => this.startNext());
  }

  #end(state: OrganizationState, slot: Slot, attempt: Attempt): void {
    state.onEnded(attempt);
    this.counts[attempt.outcome.errorClass === null ? "succeeded" : "failed"] += 1;
    const outcome = attempt.outcome.errorClass ?? "succeeded";
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    const how = attempt.outcome.errorClass === "timeout" ? "hung" : "completed";
    state.onReleased(this.#options.queues.end(slot, how));
    this.#options.onEnd(state);
  }

  /** Frees the slot and releases the delivery without an attempt. */
  #skip(state: OrganizationState, slot: Slot): void {
    this.#options.queues.end(slot, "skipped");
    state.onSkipped(slot.delivery);
    this.#options.onEnd(state);
  }
}
