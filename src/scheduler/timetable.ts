/** When jobs run: cron patterns, read in UTC. */
import { Cron } from "croner";

const utc = { timezone: "UTC" };

/** The first time after `after`, never `after` itself. @throws when there is none, or the pattern is not valid */
export function nextRun(schedule: string, after: Date): Date {
  const next = new Cron(schedule, utc).nextRun(after);
  if (next === null) throw new Error(`The schedule ${schedule} never comes.`);
  return next;
}

/** Calls `tick` at each time of the schedule, unless the call before has not ended. @returns what ends it */
export type Arm = (schedule: string, tick: () => Promise<void>) => () => void;

export const arm: Arm = (schedule, tick) => {
  const cron = new Cron(schedule, { ...utc, protect: true }, tick);
  return () => cron.stop();
};
