import { type Clock, shift, toInstant } from "../core/clock.ts";
import type { EndpointId, OrgId } from "../core/ids.ts";
import type { Tenant } from "../storage/store.ts";
import type { Attempt, MakeAttempt } from "./attempt.ts";
import type { EndpointQueues, Slot } from "./endpoint-queues.ts";
import type { OrganizationState } from "./organization-state.ts";
import type { ErrorClass } from "./outbound/outcome.ts";
import type { Claimed, Endpoint } from "./outbox.ts";

interface AttemptRunnerOptions {
  clock: Clock;
  queues: EndpointQueues;
  makeAttempt: MakeAttempt;
  /** Reads the endpoint anew before each attempt, where other processes may change it. Undefined: nothing may be sent to it now. */
  presentEndpoint?: ((tenant: Tenant, id: EndpointId) => Promise<Endpoint | undefined>) | undefined;
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
    const { makeAttempt, stateOf, onUnusable } = this.#options;
    const { orgId, delivery } = slot;
    const state = stateOf(orgId);
    state.onStarted();
    if (!this.#hasTime(delivery)) {
      this.#skip(state, slot);
      return;
    }
    const fail = (err: unknown) => {
      if (state.suspend()) onUnusable(orgId, err);
      this.#skip(state, slot);
    };
    const skip = () => {
      // The next claim cancels it, or it waits.
      state.requestCheck();
      this.#skip(state, slot);
    };
    const start = async () => {
      const current = await this.#currentOf(state.tenant, delivery);
      // Reading may have taken long, and another process may have the delivery then.
      if (current !== undefined && this.#hasTime(delivery)) return makeAttempt(state.tenant, current);
      return undefined;
    };
    void start()
      .then((attempt) => (attempt === undefined ? skip() : this.#end(state, slot, attempt)), fail)
      .then(() => this.startNext());
  }

  async #currentOf(tenant: Tenant, delivery: Claimed): Promise<Claimed | undefined> {
    const { presentEndpoint } = this.#options;
    if (presentEndpoint === undefined) return delivery;
    const endpoint = await presentEndpoint(tenant, delivery.endpointId);
    return endpoint && { ...delivery, endpoint };
  }

  /** Whether an attempt that starts now ends within its lease. */
  #hasTime({ leaseUntil }: Claimed): boolean {
    const { clock, timeout } = this.#options;
    return leaseUntil >= shift(toInstant(clock.now()), timeout);
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
