/** Cron patterns in UTC. */
import { Cron } from "croner";

const utc = { timezone: "UTC" };

/** Returns the first scheduled time after `after`. @throws the pattern has no later time, or is not valid */
export function nextRun(schedule: string, after: Date): Date {
  const next = new Cron(schedule, utc).nextRun(after);
  if (next === null) throw new Error(`The schedule ${schedule} has no next time.`);
  return next;
}

/** Calls `tick` at each time of the schedule, unless an earlier call is still running. @returns a function that stops it */
export type StartCron = (schedule: string, tick: () => Promise<void>) => () => void;

export const startCron: StartCron = (schedule, tick) => {
  const cron = new Cron(schedule, { ...utc, protect: true }, tick);
  return () => cron.stop();
};
