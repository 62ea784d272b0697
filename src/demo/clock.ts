import { type Clock, systemClock } from "../core/clock.ts";

/** The clock of a demo's server. It begins in the past, so that the demo's months are dated as they were flown. */
export interface DemoClock extends Clock {
  /** Goes on to a later time. An earlier one changes nothing: a clock is never set back. */
  moveTo(at: Temporal.Instant): void;
  /** From now on it is the system's clock. */
  catchUp(): void;
}

/** @param from a time in the past */
export function createDemoClock(from: Temporal.Instant): DemoClock {
  const behind = (at: Temporal.Instant) => systemClock.now().getTime() - at.epochMilliseconds;
  let lag = behind(from);
  return {
    now: () => new Date(systemClock.now().getTime() - lag),
    moveTo: (at) => {
      lag = Math.max(0, Math.min(lag, behind(at)));
    },
    catchUp: () => {
      lag = 0;
    },
  };
}
