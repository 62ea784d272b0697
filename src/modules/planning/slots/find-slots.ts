import { type MemberActor, permits } from "../../../core/actor.ts";
import { days, type Instant, minutes, shift } from "../../../core/clock.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { forbidden } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import type { Booking, Interval } from "../rules/booking.ts";
import { around, dutiesOf, exceeded, limitsDuty, workedOn } from "../rules/duty.ts";
import { findClashes } from "../rules/find-clashes.ts";
import { common, without } from "../rules/intervals.ts";
import { bufferOf, takenIn } from "../rules/overlaps.ts";
import { dayOf, presenceOf, presentIn } from "../rules/presence.ts";
import { resourcesOf } from "../sessions/check-booking.ts";
import { ownPerson } from "../sessions/sessions.queries.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import { settingsOf } from "../settings/settings.ts";
import { type Plane, planesFor } from "./candidates.queries.ts";
import type { Slot, SlotQuery } from "./slots.schemas.ts";

const searched = days(14);
const quarter = minutes(15);
/** All rules are evaluated for so many candidates at most. */
const mostChecked = 60;

interface Candidate extends Interval {
  plane: Plane | null;
}

/**
 * Returns the next slots that can be booked, in order: the resources are free and the people there, and no rule blocks.
 *
 * @throws VALIDATION_ERROR no such aircraft or person; CONFLICT it is archived; FORBIDDEN another student
 */
export async function findSlots(
  reader: Reader<"tenant">,
  actor: MemberActor,
  query: SlotQuery,
  now: Instant,
): Promise<Slot[]> {
  const settings = await settingsOf(reader);
  const { instructor_id = null, student_id = null, aircraft_id = null, limit } = query;
  if (student_id !== null && !permits(actor, "planning:manage") && (await ownPerson(reader, actor)) !== student_id)
    throw forbidden("not_own_session", "You may search only for yourself.");
  const booking: Omit<Booking, keyof Interval> = {
    ...{
      kind: instructor_id === null ? "flight" : "lesson",
      aircraft_id,
      instructor_id,
      room_id: null,
      lesson_id: null,
    },
    student_ids: student_id === null ? [] : [student_id],
  };
  const start_at = roundedUp(query.from !== undefined && query.from > now ? query.from : now);
  const whole = { start_at, end_at: shift(start_at, searched) };
  await resourcesOf(reader, { ...booking, ...whole });

  const slots: Slot[] = [];
  const unfit = new Set<Plane | null>();
  let checked = 0;
  for (const { plane, ...interval } of await candidatesIn(reader, query, whole, settings)) {
    if (slots.length === limit || checked === mostChecked) break;
    if (unfit.has(plane)) continue;
    checked += 1;
    const one = { ...booking, ...interval, aircraft_id: plane?.id ?? null };
    const found = await findClashes(reader, { booking: one, ...(await resourcesOf(reader, one)), settings });
    const blocking = found.filter(({ action }) => action === "block");
    // It is not in order, and will not be before somebody puts it right.
    if (blocking.some(({ resource }) => resource?.type === "aircraft")) unfit.add(plane);
    if (blocking.length === 0) slots.push({ ...interval, aircraft: plane, instructor_id });
  }
  return slots;
}

/** Returns the starts in free intervals that are long enough, in order, each aircraft's without overlaps. */
async function candidatesIn(
  reader: Reader<"tenant">,
  { icao_type, aircraft_id, instructor_id, student_id, minutes: length }: SlotQuery,
  whole: Interval,
  settings: Settings,
): Promise<Iterable<Candidate>> {
  const timeZone = await timeZoneOf(reader);
  const from = toLegalDate(dayOf(timeZone, whole.start_at));
  const there = async (person: PersonId | null) => presentIn(await presenceOf(reader, person, from), timeZone, whole);
  let free: Interval[] = settings.opening_hours === "off" ? [whole] : await there(null);
  for (const [type, id] of [
    ["instructor", instructor_id],
    ["student", student_id],
  ] as const) {
    if (id === undefined) continue;
    if (settings.availability !== "off") free = common(free, await there(id));
    free = common(free, await freeOf(reader, id, whole, bufferOf(type, settings)));
  }
  const isLimited = instructor_id !== undefined && settings.duty === "block" && limitsDuty(settings);
  const worked = workedOn(isLimited ? await dutiesOf(reader, instructor_id, around(whole)) : [], timeZone);
  const isTooMuch = (one: Interval) => isLimited && exceeded(worked, one, timeZone, settings).length > 0;

  const isOfPlane = (icao_type ?? aircraft_id) !== undefined;
  const planes = isOfPlane ? await planesFor(reader, { icao_type, aircraft_id }) : [null];
  const sources: Iterator<Candidate>[] = [];
  for (const plane of planes) {
    const buffer = bufferOf("aircraft", settings);
    const open = plane === null ? free : common(free, await freeOf(reader, plane.id, whole, buffer));
    sources.push(startsIn(open, minutes(length), plane, isTooMuch));
  }
  return inOrder(sources);
}

/** Merges what comes in order from each source. Only a few of thousands are read. */
function* inOrder(sources: Iterator<Candidate>[]): Generator<Candidate> {
  const heads = sources.map((source) => source.next().value as Candidate | undefined);
  for (;;) {
    let first = -1;
    for (const [at, head] of heads.entries()) {
      const best = heads[first];
      if (head !== undefined && (best === undefined || head.start_at < best.start_at)) first = at;
    }
    const found = heads[first];
    if (found === undefined) return;
    yield found;
    heads[first] = sources[first]?.next().value;
  }
}

async function freeOf(reader: Reader<"tenant">, id: string, whole: Interval, buffer: number): Promise<Interval[]> {
  const wide = { start_at: shift(whole.start_at, -buffer), end_at: shift(whole.end_at, buffer) };
  const taken = await takenIn(reader, id, wide);
  if (buffer === 0) return without(whole, taken);
  return without(
    whole,
    taken.map(({ start_at, end_at }) => ({ start_at: shift(start_at, -buffer), end_at: shift(end_at, buffer) })),
  );
}

/** Yields the starts in free intervals that are long enough, one after the other without overlaps. */
function* startsIn(
  open: readonly Interval[],
  length: number,
  plane: Plane | null,
  isTooMuch: (one: Interval) => boolean,
): Generator<Candidate> {
  for (const { start_at, end_at } of open)
    for (let start = roundedUp(start_at), end = shift(start, length); end <= end_at; ) {
      const one = { start_at: start, end_at: end, plane };
      if (!isTooMuch(one)) yield one;
      start = roundedUp(end);
      end = shift(start, length);
    }
}

const roundedUp = (at: Instant): Instant => shift(at, (quarter - (Date.parse(at) % quarter)) % quarter);
