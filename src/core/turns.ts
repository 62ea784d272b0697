import { Problem } from "./errors.ts";
import { RoundRobin } from "./round-robin.ts";

const nobodyWaits = () => new Problem("UNAVAILABLE", "The client has left.");

interface Limits {
  /** How many of one key may be in progress or waiting. */
  ofOne: number;
  /** How many of all keys together. */
  ofAll: number;
}

interface Waiting {
  key: string;
  begin(): Promise<void>;
}

/** Work that is done one at a time, in turn for each key, such as an organization: one that has much to do delays no other. */
export class Turns {
  readonly #waiting = new RoundRobin<string, Waiting>(({ key }) => key);
  readonly #limits: Limits;
  readonly #counts = new Map<string, number>();
  #count = 0;
  #isWorking = false;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** How many are in progress or waiting. */
  get size(): number {
    return this.#count;
  }

  /** Returns whether the key may have more work. */
  hasRoom(key: string): boolean {
    return this.#count < this.#limits.ofAll && (this.#counts.get(key) ?? 0) < this.#limits.ofOne;
  }

  /**
   * Does the work when it is its turn.
   *
   * @param signal aborted when nobody waits for the result any more: work that has not begun is dropped
   * @throws UNAVAILABLE nobody waits for it any more; what the work throws
   */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw nobodyWaits();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const waiting: Waiting = { key, begin: () => work().then(resolve, reject) };
    const drop = () => {
      this.#waiting.remove(waiting);
      reject(nobodyWaits());
    };
    signal?.addEventListener("abort", drop, { once: true });
    this.#waiting.add(waiting);
    this.#add(key, 1);
    if (!this.#isWorking) void this.#workAll();
    return promise.finally(() => {
      signal?.removeEventListener("abort", drop);
      this.#add(key, -1);
    });
  }

  #add(key: string, change: number): void {
    this.#count += change;
    const count = (this.#counts.get(key) ?? 0) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }

  async #workAll(): Promise<void> {
    this.#isWorking = true;
    for (let next = this.#waiting.take(); next !== undefined; next = this.#waiting.take()) await next.begin();
    this.#isWorking = false;
  }
}
