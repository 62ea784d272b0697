import { performance } from "node:perf_hooks";
import { yieldToEventLoop } from "../core/async.ts";

/** The number of closed files for which garbage is collected, soon. */
const worthCollecting = 32;

/** Minimum milliseconds between two collections, unless there are too many closed files. Each blocks for about 25 ms. */
const collectEvery = 250;

/** Counts closed files, whose statements keep their descriptors until they are collected, and collects garbage in time. */
export class UncollectedFiles {
  readonly #limit: number;
  readonly #collectGarbage: () => void;
  #count = 0;
  #collectedAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param limit the number of closed files that the descriptors of the process suffice for */
  constructor(limit: number, collectGarbage: () => void) {
    this.#limit = limit;
    this.#collectGarbage = collectGarbage;
  }

  /** Counts a closed file. A retired file is released soon, because the operator may replace it. */
  add(why: "evicted" | "retired"): void {
    this.#count += 1;
    if (why === "evicted" && this.#count < Math.min(worthCollecting, this.#limit)) return;
    const wait = this.#collectedAt + collectEvery - performance.now();
    if (wait <= 0 || this.#count >= this.#limit) this.#collect();
    else this.#timer ??= setTimeout(() => this.#collect(), wait);
  }

  /** Releases the descriptors of all closed files, as soon as the next collection may run. */
  async release(): Promise<void> {
    const wait = this.#collectedAt + collectEvery - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    this.#collect();
    await yieldToEventLoop(); // the runtime closes the files now
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #collect(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#count = 0;
    this.#collectGarbage();
    this.#collectedAt = performance.now();
  }
}
