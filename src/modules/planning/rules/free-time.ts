/** When everything that a booking needs is free and there. */
import { shift } from "../../../core/clock.ts";
import { toLegalDate } from "../../../core/dates.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import type { Booking, Interval } from "./booking.ts";
import { common, without } from "./intervals.ts";
import { bufferOf, takenIn } from "./overlaps.ts";
import { dayOf, presenceOf, presentIn } from "./presence.ts";

type Wanted = Partial<Pick<Booking, "aircraft_id" | "instructor_id"> & { student_id: PersonId }>;

/** Returns the times of an interval at which the school is open, the people are there, and nothing of it is booked. */
export async function freeFor(
  reader: Reader<"tenant">,
  { aircraft_id, instructor_id, student_id }: Wanted,
  whole: Interval,
  settings: Settings,
): Promise<Interval[]> {
  const timeZone = await timeZoneOf(reader);
  const from = toLegalDate(dayOf(timeZone, whole.start_at));
  const there = async (person: PersonId | null) => presentIn(await presenceOf(reader, person, from), timeZone, whole);
  let free: Interval[] = settings.opening_hours === "off" ? [whole] : await there(null);
  for (const [type, id] of [
    ["instructor", instructor_id],
    ["student", student_id],
  ] as const) {
    if (id == null) continue;
    if (settings.availability !== "off") free = common(free, await there(id));
    free = common(free, await notBooked(reader, id, whole, bufferOf(type, settings)));
  }
  return aircraft_id == null
    ? free
    : common(free, await notBooked(reader, aircraft_id, whole, bufferOf("aircraft", settings)));
}

/** Returns when a resource is not booked. @param buffer milliseconds before and after a booking */
export async function notBooked(
  reader: Reader<"tenant">,
  id: string,
  whole: Interval,
  buffer: number,
): Promise<Interval[]> {
  const wide = { start_at: shift(whole.start_at, -buffer), end_at: shift(whole.end_at, buffer) };
  const taken = await takenIn(reader, id, wide);
  if (buffer === 0) return without(whole, taken);
  return without(
    whole,
    taken.map(({ start_at, end_at }) => ({ start_at: shift(start_at, -buffer), end_at: shift(end_at, buffer) })),
  );
}
