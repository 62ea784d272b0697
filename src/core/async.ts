/** Waiting with a time limit, periodic work, and yielding inside long loops. */
import { seconds } from "./clock.ts";

/** `setTimeout` takes no longer time: 24 days. */
const longestTimeout = 2 ** 31 - 1;

/**
 * Waits for `work`, for `milliseconds` at most. After that the work continues, and its result and errors are ignored.
 *
 * @returns whether it ended in time
 * @throws what it throws in that time
 */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, Math.min(milliseconds, longestTimeout), false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * As `Promise.all`, but throws the error of the first in the list, not of the first in time: checks that read at the same time, and
 * refuse in their order.
 */
export async function allInOrder<const T extends readonly unknown[]>(
  work: T,
): Promise<{ -readonly [At in keyof T]: Awaited<T[At]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

interface RepeatOptions {
  /** Milliseconds between two calls. */
  every?: number;
  log: { error(details: object, message: string): void };
}

/** Calls `work` every second, unless an earlier call is still running. Logs its errors and continues. */
export function repeat(work: () => Promise<void>, { every = seconds(1), log }: RepeatOptions) {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((err) => log.error({ err }, "Housekeeping failed. It is retried in a second."))
      .finally(() => {
        running = undefined;
      });
  }, every);
  return {
    /** Ends the calls. Resolves when the running call has ended. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}

/**
 * Returns a function for long work to await between its steps: it yields when the last time was some milliseconds ago. All
 * other requests run between the pieces of two such works (`ownTurn`).
 */
export function yieldingEvery(milliseconds = 5): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < milliseconds) return;
    await ownTurn();
    last = performance.now();
  };
}

/** Returns the same items. Between them, it yields to the event loop when some milliseconds have passed. */
export async function* yieldingBetween<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  const pause = yieldingEvery();
  for await (const item of items) {
    await pause();
    yield item;
  }
}

/** Waits for `work` until the signal. After that the work continues, as after `atMost`. @returns whether it ended before */
export async function untilAborted(signal: AbortSignal, work: Promise<unknown>): Promise<boolean> {
  const { promise: aborted, resolve } = Promise.withResolvers<false>();
  const abort = () => resolve(false);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([work.then(() => true), aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Returns how many milliseconds remain of a time limit: 0 when it is over. */
export type Remaining = () => number;

export function countdown(milliseconds: number): Remaining {
  const end = performance.now() + milliseconds;
  return () => Math.max(0, end - performance.now());
}

/** @returns a function that returns whether less time has passed than `milliseconds` */
export function timer(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds;
  return () => performance.now() < end;
}

/**
 * Lets timers, sockets and requests run. A loop that only awaits the database blocks them, because SQLite's calls are
 * synchronous under their promises.
 */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let lastTurn = Promise.resolve();

/**
 * As `yieldToEventLoop`, but no two callers get the same turn: between the pieces of work of many requests, all others run.
 */
export function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(yieldToEventLoop);
  return lastTurn;
}
