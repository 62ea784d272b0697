import type { Clock, Instant } from "../core/clock.ts";

/** The longest delay that `setTimeout` takes, in milliseconds. A longer wait fires early, and the owner sets it again. */
const maxDelay = 2 ** 31 - 1;

/** A timer for an instant of the injected clock. */
export class Timer {
  readonly #clock: Clock;
  readonly #onFire: () => void;
  #set: { at: Instant; timer: ReturnType<typeof setTimeout> } | undefined;

  constructor(clock: Clock, onFire: () => void) {
    this.#clock = clock;
    this.#onFire = onFire;
  }

  /** Replaces the instant at which the timer fires; `undefined` clears it. */
  set(at: Instant | undefined): void {
    if (at === this.#set?.at) return;
    this.clear();
    if (at === undefined) return;
    const delay = Date.parse(at) - this.#clock.now().getTime();
    const fire = () => {
      this.#set = undefined;
      this.#onFire();
    };
    this.#set = { at, timer: setTimeout(fire, Math.min(Math.max(delay, 0), maxDelay)) };
  }

  clear(): void {
    clearTimeout(this.#set?.timer);
    this.#set = undefined;
  }
}
