/** Cron patterns in UTC. */
import { Cron } from "croner";
import { type Clock, isSetBack, seconds } from "../core/clock.ts";

/** Each pattern is read once: that takes longer than to find its next time. Patterns are the program's and the operator's. */
const patterns = new Map<string, Cron>();

/** Returns the first scheduled time after `after`. @throws the pattern has no later time, or is not valid */
export function nextRun(schedule: string, after: Date): Date {
  // `utcOffset`, not `timezone`: that one asks `Intl`, which takes 1 ms of a start for each job.
  const pattern = patterns.get(schedule) ?? new Cron(schedule, { utcOffset: 0 });
  patterns.set(schedule, pattern);
  const next = pattern.nextRun(after);
  if (next === null) throw new Error(`The schedule ${schedule} has no next time.`);
  return next;
}

/** Calls `tick` at each time of the schedule, with that time. @returns a function that stops it */
export type StartCron = (schedule: string, tick: (at: Date) => Promise<void>) => () => void;

/** Calls a function after some milliseconds. @returns a function that cancels it */
export type After = (milliseconds: number, call: () => void) => () => void;

const afterTimeout: After = (milliseconds, call) => {
  const timer = setTimeout(call, milliseconds);
  return () => clearTimeout(timer);
};

/** A clock that was set is noticed after this time at the latest. */
const longestSleep = seconds(30);

/**
 * Follows the clock when it is set, which croner's own timers do not. Times that the clock has skipped have one tick together.
 * After it was set back by seconds, as time servers do, no time has a second tick. After it was set back by more than a minute,
 * the times that come again have one again: the ticks before were not at these times. So a job that ran at 02:00 by a clock that
 * was an hour ahead runs again at 02:00. It does not repeat its work, which a run does only if it is due.
 */
export const startCronBy =
  (clock: Clock, after: After = afterTimeout): StartCron =>
  (schedule, tick) => {
    let latest = clock.now();
    let next = nextRun(schedule, latest);
    const wake = () => {
      const now = clock.now();
      if (isSetBack(latest, now)) {
        latest = now;
        next = nextRun(schedule, now);
      }
      if (now > latest) latest = now;
      const at = next;
      const isTime = now >= at;
      if (isTime) next = nextRun(schedule, now);
      cancel = sleep();
      if (isTime) void tick(at);
    };
    const sleep = () => after(Math.min(next.getTime() - clock.now().getTime(), longestSleep), wake);
    let cancel = sleep();
    return () => cancel();
  };

/** Returns whether a text is a cron pattern that has a next time. */
export function isSchedule(text: string): boolean {
  try {
    nextRun(text, new Date(0));
    return true;
  } catch {
    return false;
  }
}
