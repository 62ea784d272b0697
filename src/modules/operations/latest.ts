import { type Clock, type Instant, toInstant } from "../../core/clock.ts";

/** A figure that may take long to read, or that can't be had at times: the last value stays, with its age. */
export class Latest<T> {
  readonly #clock: Clock;
  readonly #read: () => Promise<T>;
  #last: { value: T; at: number } | undefined;
  #reading: Promise<void> | undefined;
  readonly #every: number;

  /** @param every milliseconds for which a value is not read again */
  constructor(clock: Clock, read: () => Promise<T>, every = 0) {
    this.#clock = clock;
    this.#read = read;
    this.#every = every;
  }

  /** Reads it, unless it is being read, or was just read. Never throws. */
  async refresh(): Promise<void> {
    if (this.#last && this.#clock.now().getTime() - this.#last.at < this.#every) return;
    await this.#refresh();
  }

  #refresh(): Promise<void> {
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readOnce(): Promise<void> {
    try {
      const value = await this.#read();
      this.#last = { value, at: this.#clock.now().getTime() };
    } catch {
      // The age shows it.
    }
  }

  /** What was read last; undefined before. */
  get value(): T | undefined {
    return this.#last?.value;
  }

  /** When it was read. */
  get readAt(): Instant | undefined {
    return this.#last && toInstant(new Date(this.#last.at));
  }

  /** Seconds since it was read. */
  get age(): number | undefined {
    return this.#last && secondsSince(this.#clock, this.#last.at);
  }
}

export const secondsSince = (clock: Clock, at: number | string): number =>
  Math.max(0, (Date.parse(toInstant(clock.now())) - new Date(at).getTime()) / 1000);
