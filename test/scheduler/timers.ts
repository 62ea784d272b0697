import type { After } from "../../src/scheduler/timetable.ts";
import type { TestClock } from "../support/clock.ts";

/** Timers that pass when a test says so, and advance its clock. A clock that is set does not change when they end. */
export function timersBy(clock: TestClock) {
  let passed = 0;
  const waiting = new Set<{ at: number; call: () => void }>();
  const after: After = (milliseconds, call) => {
    const timer = { at: passed + milliseconds, call };
    waiting.add(timer);
    return () => void waiting.delete(timer);
  };
  return {
    after,
    /** Lets time pass, and what was called do its work. */
    async pass(milliseconds: number): Promise<void> {
      const end = passed + milliseconds;
      for (;;) {
        const [next] = [...waiting].sort((one, other) => one.at - other.at);
        const until = next !== undefined && next.at <= end ? next.at : end;
        clock.advance(until - passed);
        passed = until;
        if (next === undefined || next.at > end) return;
        waiting.delete(next);
        next.call();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
