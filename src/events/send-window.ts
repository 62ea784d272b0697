import { LRUCache } from "lru-cache";
import { seconds } from "../core/clock.ts";
import type { EndpointId } from "../core/ids.ts";

/** An attempt that takes longer than this is slow. */
export const slowAfter = seconds(1);

/** The maximum number of deliveries of one endpoint that are claimed beyond its window. */
const maxAhead = 256;

/** The maximum number of endpoints whose window is kept between deliveries. */
const maxKept = 10_000;

/** How many attempts at one endpoint may be in flight. It adapts to how the endpoint responds. */
export class SendWindow {
  /**
   * Starts at 1, doubles with every attempt that completes, even a slow one, and is 1 again after a timeout. The slots
   * that slow endpoints share limit them, not this.
   */
  size = 1;
  isSlow = false;
  /** Whether the last attempt timed out. */
  hangs = false;
  /** Attempts ended since the last claim. About one to two times as many will end before the next claim. */
  #ended = 0;

  /** How many deliveries to hold as claimed, including those in flight. */
  get claimLimit(): number {
    return this.size + (this.isSlow ? 0 : Math.min(2 * this.#ended, maxAhead));
  }

  /** Resets the count of ended attempts. */
  onClaim(): void {
    this.#ended = 0;
  }

  /** @param took in milliseconds. @param max the largest window */
  onEnd({ took, completed, max }: { took: number; completed: boolean; max: number }): void {
    this.#ended += 1;
    this.isSlow = took > slowAfter;
    this.hangs = !completed;
    this.size = completed ? Math.min(2 * this.size, max) : 1;
  }
}

/** The windows of the endpoints used last. */
export class SendWindows {
  readonly #kept = new LRUCache<EndpointId, SendWindow>({ max: maxKept });

  of(endpointId: EndpointId): SendWindow {
    const kept = this.#kept.get(endpointId);
    if (kept !== undefined) return kept;
    const window = new SendWindow();
    this.#kept.set(endpointId, window);
    return window;
  }
}
