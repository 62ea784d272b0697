import { TestClock } from "../../test/support/clock.ts";

/** The real time, for an installation that expects a clock to move. */
export class RealClock extends TestClock {
  override now(): Date {
    return new Date();
  }
}
