import { Problem } from "../../../core/errors.ts";
import { RoundRobin } from "../../../core/round-robin.ts";

interface Turn {
  readonly key: string;
  start(): void;
  refuse(): void;
}

interface FairQueueOptions {
  /** Pieces of work at once. */
  concurrency: number;
  /** The most that wait, over all keys. */
  maxWaiting: number;
}

const tooMany = () =>
  new Problem("RATE_LIMITED", "Too many concurrent sign-ins. Try again in a moment.", { retryAfter: 1 });

/**
 * Returns a function that runs work, or queues it. Keys take turns, so that one with much work does not delay the others.
 * When the queue is full, the key with the most waiting work loses its newest, unless that is the caller's own key.
 */
export function fairQueue({ concurrency, maxWaiting }: FairQueueOptions) {
  const waiting = new RoundRobin<string, Turn>(({ key }) => key);
  let length = 0;
  let running = 0;

  const turn = (key: string): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (length >= maxWaiting) {
      const longest = waiting.longest();
      const last = longest.at(-1);
      if (last === undefined || longest.length <= waiting.lengthOf(key) + 1) throw tooMany();
      waiting.remove(last);
      length -= 1;
      last.refuse();
    }
    waiting.add({ key, start: resolve, refuse: () => reject(tooMany()) });
    length += 1;
    return promise;
  };

  /** @throws RATE_LIMITED the queue is full */
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    // The finished work passes its slot on, so `running` does not change.
    if (running >= concurrency) await turn(key);
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.take();
      if (next === undefined) running -= 1;
      else {
        length -= 1;
        next.start();
      }
    }
  };
}
