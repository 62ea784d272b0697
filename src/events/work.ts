import { yieldToEventLoop } from "../core/async.ts";
import type { EndpointId } from "../core/ids.ts";
import type { Tenant } from "../storage/store.ts";
import type { Attempt } from "./attempt.ts";
import type { Claimed } from "./outbox.ts";
import type { Batch } from "./records.ts";

/** While there is more to send, results wait this long, or until there are so many, to be written together. */
const gatherFor = 25;
const gathered = 256;

/** What there is to do for one organization: what to write, whether to look for more, and what is still under way. */
export class Work {
  readonly tenant: Tenant;
  /** Whether a transaction is under way, or the pause after one. */
  writing = false;
  /** Endpoints that were changed since the transaction under way, or the last one, began. */
  readonly changed = new Set<EndpointId>();
  #look = false;
  #isPutOff = false;
  #ended: Attempt[] = [];
  #unused: Claimed[] = [];
  #waiting = 0;
  #underWay = 0;
  /** Ends the pause between two transactions; there while there is one. */
  #resume: (() => void) | undefined;

  constructor(tenant: Tenant) {
    this.tenant = tenant;
  }

  /** Deliveries claimed: waiting for a slot, or under way. */
  get open(): number {
    return this.#waiting + this.#underWay;
  }

  get hasMore(): boolean {
    return this.#look || this.#ended.length > 0 || this.#unused.length > 0;
  }

  get isBusy(): boolean {
    return this.writing || this.#look || this.open > 0;
  }

  /** Whether the next transaction should not wait for more results. */
  get isPressing(): boolean {
    return this.#look || this.#unused.length > 0 || this.#ended.length >= gathered || this.#waiting === 0;
  }

  /** Whether nothing is to be claimed before the next look. */
  get isPutOff(): boolean {
    return this.#isPutOff;
  }

  /** Something may be due. */
  look(): void {
    this.#look = true;
    this.#isPutOff = false;
  }

  /** Attempts can't be made: to claim again at once would be to fail again at once. @returns whether that is new */
  putOff(): boolean {
    const isNew = !this.#isPutOff;
    this.#isPutOff = true;
    return isNew;
  }

  claimed(count: number): void {
    this.#waiting += count;
  }

  begun(): void {
    this.#waiting -= 1;
    this.#underWay += 1;
  }

  ended(attempt: Attempt): void {
    this.#underWay -= 1;
    this.#ended.push(attempt);
  }

  /** Begun, but no attempt was made. */
  skipped(delivery: Claimed): void {
    this.#underWay -= 1;
    this.#unused.push(delivery);
  }

  /** Was waiting, and won't get its turn. */
  givenBack(deliveries: readonly Claimed[]): void {
    this.#waiting -= deliveries.length;
    this.#unused.push(...deliveries);
  }

  takeBatch(): Batch {
    const batch = { ended: this.#ended, unused: this.#unused };
    this.#ended = [];
    this.#unused = [];
    this.#look = false;
    return batch;
  }

  /** Keeps what could not be written for the next transaction. */
  putBack({ ended, unused }: Batch): void {
    this.#ended.unshift(...ended);
    this.#unused.unshift(...unused);
    this.#look = false;
  }

  /**
   * Lets results come together, and requests be served. A transaction is synced to disk, and nothing is sent meanwhile:
   * with a backlog, a few large ones take far less time than many small ones.
   */
  async gather(isHurried: boolean): Promise<void> {
    await yieldToEventLoop();
    if (this.isPressing || isHurried) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, gatherFor);
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
