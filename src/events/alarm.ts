import type { Clock, Instant } from "../core/clock.ts";

/** The most that a timer takes, in milliseconds: it rings early then, and is set again. */
const longestTimer = 2 ** 31 - 1;

/** One timer for a moment of the injected clock. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #set: { at: Instant; timer: ReturnType<typeof setTimeout> } | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  set(at: Instant | undefined): void {
    if (at === this.#set?.at) return;
    this.clear();
    if (at === undefined) return;
    const wait = Date.parse(at) - this.#clock.now().getTime();
    const ring = () => {
      this.#set = undefined;
      this.#ring();
    };
    this.#set = { at, timer: setTimeout(ring, Math.min(Math.max(wait, 0), longestTimer)) };
  }

  clear(): void {
    clearTimeout(this.#set?.timer);
    this.#set = undefined;
  }
}
