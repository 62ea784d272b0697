/** When the logs are read: right after a commit, and while commits go on, after a pause that gathers them. */

/**
 * Milliseconds. Each reading sends a piece to each stream, and sending takes longer than all that is before: up to 100 streams get
 * 200 pieces a second at most, and more get two each. A console that waits so long still shows a change within a second.
 */
const pauses = { shortest: 200, longest: 500, ofStream: 5 };

export const pauseBeside = (streams: number): number =>
  Math.min(pauses.longest, Math.max(pauses.shortest, streams * pauses.ofStream));

export class Readings {
  readonly #read: () => void;
  readonly #pause: () => number;
  readonly #now: () => number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = Number.NEGATIVE_INFINITY;

  /** @param pause returns the milliseconds between two readings */
  constructor(read: () => void, pause: () => number, now: () => number = () => performance.now()) {
    this.#read = read;
    this.#pause = pause;
    this.#now = now;
  }

  /** After a commit. Those of one turn of the event loop are read at once. */
  request(): void {
    if (this.#timer !== undefined) return;
    const wait = Math.max(0, this.#last + this.#pause() - this.#now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#last = this.#now();
      this.#read();
    }, wait);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
