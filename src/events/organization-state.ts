import { yieldToEventLoop } from "../core/async.ts";
import type { EndpointId } from "../core/ids.ts";
import type { Tenant } from "../storage/store.ts";
import type { Attempt } from "./attempt.ts";
import type { Batch } from "./attempt-recorder.ts";
import type { Claimed } from "./outbox.ts";

/** While deliveries wait to be sent, results are written together: after so many milliseconds, or so many results. */
const batchDelay = 25;
const batchSize = 256;

/**
 * The dispatcher's state for one organization: what the next transaction writes, whether to check for due deliveries,
 * and how many deliveries are claimed.
 */
export class OrganizationState {
  readonly tenant: Tenant;
  /** Whether a transaction runs, or the pause after it. */
  writing = false;
  /** Endpoints changed since the start of the current or last transaction. */
  readonly changed = new Set<EndpointId>();
  #checkRequested = false;
  #isSuspended = false;
  #ended: Attempt[] = [];
  #released: Claimed[] = [];
  #waiting = 0;
  #inFlight = 0;
  /** Ends the pause between two transactions; set during a pause. */
  #resume: (() => void) | undefined;

  constructor(tenant: Tenant) {
    this.tenant = tenant;
  }

  /** Claimed deliveries that wait for a slot or are in flight. */
  get outstanding(): number {
    return this.#waiting + this.#inFlight;
  }

  /** Whether the next transaction has something to do. */
  get hasMore(): boolean {
    return this.#checkRequested || this.#ended.length > 0 || this.#released.length > 0;
  }

  get isBusy(): boolean {
    return this.writing || this.#checkRequested || this.outstanding > 0;
  }

  /** Whether the next transaction should not wait for more results. */
  get isUrgent(): boolean {
    return this.#checkRequested || this.#released.length > 0 || this.#ended.length >= batchSize || this.#waiting === 0;
  }

  /** Whether nothing is claimed before the next requested check. */
  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  /** Requests a check for due deliveries. Ends a suspension. */
  requestCheck(): void {
    this.#checkRequested = true;
    this.#isSuspended = false;
  }

  /** Suspends claims, since attempts can't be made: the next would fail as well. @returns whether that is new */
  suspend(): boolean {
    const isNew = !this.#isSuspended;
    this.#isSuspended = true;
    return isNew;
  }

  onClaimed(count: number): void {
    this.#waiting += count;
  }

  onStarted(): void {
    this.#waiting -= 1;
    this.#inFlight += 1;
  }

  onEnded(attempt: Attempt): void {
    this.#inFlight -= 1;
    this.#ended.push(attempt);
  }

  /** Notes a delivery that got a slot, but no attempt. */
  onSkipped(delivery: Claimed): void {
    this.#inFlight -= 1;
    this.#released.push(delivery);
  }

  /** Notes deliveries that got no slot and will not get one. */
  onReleased(deliveries: readonly Claimed[]): void {
    this.#waiting -= deliveries.length;
    this.#released.push(...deliveries);
  }

  takeBatch(): Batch {
    const batch = { ended: this.#ended, released: this.#released };
    this.#ended = [];
    this.#released = [];
    this.#checkRequested = false;
    return batch;
  }

  /** Returns a batch that could not be written, for the next transaction. */
  putBack({ ended, released }: Batch): void {
    this.#ended.unshift(...ended);
    this.#released.unshift(...released);
    this.#checkRequested = false;
  }

  /**
   * Waits for more results, so that requests are served and fewer transactions run. A transaction syncs to disk, and
   * nothing is sent meanwhile: for a backlog, a few large ones take far less time than many small ones.
   */
  async pause(isHurried: boolean): Promise<void> {
    await yieldToEventLoop();
    if (this.isUrgent || isHurried) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, batchDelay);
    this.#resume = resolve;
    await promise;
    clearTimeout(timer);
    this.#resume = undefined;
  }

  /** Ends the pause. */
  resume(): void {
    this.#resume?.();
  }
}
