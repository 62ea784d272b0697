/** Long computing in steps, between which other requests may run. */
import { yieldingEvery } from "./async.ts";

/** Yields between two steps, and returns the result. */
export type Steps<Result> = Generator<undefined, Result>;

/** Takes all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Takes the steps a few milliseconds at a time. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  const pause = yieldingEvery();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await pause();
  }
}
