/** When what is booked uses up the hours of an item. Pure. */
import type { Instant } from "../../../core/clock.ts";
import type { BookedUse } from "../maintenance.occasions.ts";

/**
 * Returns the start of the session in which the hours run out; undefined if what is booked does not use them up. An item is overdue once
 * more than its hours are used, so a session that uses exactly the rest is still flown.
 *
 * @param left in hundredths of an hour; negative if it is overdue already
 * @param perHour what the counter runs in an hour that is booked
 */
export function runsOutAt(left: number, perHour: number, sessions: BookedUse["sessions"]): Instant | undefined {
  let used = 0;
  for (const { start_at, minutes } of sessions) {
    used += (minutes * perHour * 100) / 60;
    // Rounded: sixtieths are not exact in binary.
    if (Number(used.toFixed(6)) > left) return start_at;
  }
  return undefined;
}
