import { LRUCache } from "lru-cache";
import { seconds } from "../core/clock.ts";
import type { EndpointId } from "../core/ids.ts";

/** An attempt that lasts longer than this is slow. */
export const slowAfter = seconds(1);

/** The most that is claimed of an endpoint beyond what can be under way. */
const mostAhead = 256;

/** Endpoints whose pace is remembered between deliveries. */
const remembered = 10_000;

/** How an endpoint has been doing, and so how much it is given. */
export class Pace {
  /**
   * How many attempts may be under way: one at first, twice as many with every answer, be it a late one, and one again
   * when none came in time. What keeps slow endpoints in bounds are the slots that they share.
   */
  window = 1;
  isSlow = false;
  /** Whether the last attempt that ended had no answer. */
  hangs = false;
  /** Attempts that ended since the last claim: about as many more, or twice that, will have ended by the next. */
  #ended = 0;

  /** How many are worth having claimed, those under way included. */
  get worth(): number {
    return this.window + (this.isSlow ? 0 : Math.min(2 * this.#ended, mostAhead));
  }

  claimed(): void {
    this.#ended = 0;
  }

  /** @param took in milliseconds. @param most the largest window */
  ended({ took, answered, most }: { took: number; answered: boolean; most: number }): void {
    this.#ended += 1;
    this.isSlow = took > slowAfter;
    this.hangs = !answered;
    this.window = answered ? Math.min(2 * this.window, most) : 1;
  }
}

/** The paces of all endpoints. */
export class Paces {
  readonly #known = new LRUCache<EndpointId, Pace>({ max: remembered });

  of(endpointId: EndpointId): Pace {
    const known = this.#known.get(endpointId);
    if (known !== undefined) return known;
    const pace = new Pace();
    this.#known.set(endpointId, pace);
    return pace;
  }
}
