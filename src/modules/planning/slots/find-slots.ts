import { type MemberActor, permits } from "../../../core/actor.ts";
import { yieldingBetween } from "../../../core/async.ts";
import { days, type Instant, minutes, shift } from "../../../core/clock.ts";
import { forbidden } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import { personNameOf } from "../../people/people.queries.ts";
import type { Booking, Interval } from "../rules/booking.ts";
import { around, dutiesOf, exceeded, limitsDuty, workedOn } from "../rules/duty.ts";
import { findClashes } from "../rules/find-clashes.ts";
import { freeFor, notBooked } from "../rules/free-time.ts";
import { common, later } from "../rules/intervals.ts";
import { bufferOf } from "../rules/overlaps.ts";
import { hasEnough, startsFor } from "../sessions/may-book.ts";
import { resourcesOf } from "../sessions/resources-of.ts";
import { ownPerson } from "../sessions/sessions.queries.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import { settingsOf } from "../settings/settings.ts";
import { type Plane, planesFor } from "./candidates.queries.ts";
import type { Slot, SlotQuery } from "./slots.schemas.ts";

const searched = days(14);
const quarter = minutes(15);
/** Instants sort as strings. */
const [never, forever] = ["", "9999"] as [Instant, Instant];
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
  const { earliest, latest } = await startsOf(reader, actor, student_id, settings, now);
  const booking: Omit<Booking, keyof Interval> = {
    ...{
      kind: instructor_id === null ? "flight" : "lesson",
      aircraft_id,
      instructor_id,
      room_id: null,
      lesson_id: null,
      night: false,
    },
    student_ids: student_id === null ? [] : [student_id],
  };
  const start_at = roundedUp(query.from === undefined ? earliest : later(query.from, earliest));
  const whole = { start_at, end_at: shift(start_at, searched) };
  const { unusable } = await resourcesOf(reader, booking);
  if (unusable[0]) throw unusable[0].problem;

  const instructor_name = await personNameOf(reader, instructor_id);
  const slots: Slot[] = [];
  const unfit = new Set<Plane | null>();
  const isTooMuch = await dutyOf(reader, instructor_id, whole, settings);
  let checked = 0;
  for await (const { plane, ...interval } of yieldingBetween(await candidatesIn(reader, query, whole, settings))) {
    if (slots.length === limit || checked === mostChecked || interval.start_at > latest) break;
    if (unfit.has(plane) || isTooMuch(interval)) continue;
    checked += 1;
    const one = { ...booking, ...interval, aircraft_id: plane?.id ?? null };
    const found = await findClashes(reader, { booking: one, ...(await resourcesOf(reader, one)), settings });
    const blocking = found.filter(({ action }) => action === "block");
    // It is not in order, and will not be before somebody puts it right.
    if (blocking.some(({ resource }) => resource?.type === "aircraft")) unfit.add(plane);
    if (blocking.length === 0) slots.push({ ...interval, aircraft: plane, instructor_id, instructor_name });
  }
  return slots;
}

/** Returns when the caller may begin sessions: nowhere for a student who may not book any more. @throws FORBIDDEN another student */
async function startsOf(
  reader: Reader<"tenant">,
  actor: MemberActor,
  student_id: PersonId | null,
  settings: Settings,
  now: Instant,
): Promise<{ earliest: Instant; latest: Instant }> {
  if (permits(actor, "planning:manage")) return { earliest: now, latest: forever };
  const own = await ownPerson(reader, actor);
  if (student_id !== null && student_id !== own)
    throw forbidden("not_own_session", "You may search only for yourself.");
  const { earliest, latest } = startsFor(settings, now);
  const books = own !== undefined && settings.students_book && !(await hasEnough(reader, own, settings, now));
  return { earliest, latest: books ? (latest ?? forever) : never };
}

/** Returns whether a session would be too much for the instructor; it remembers the starts, which all aircraft have. */
async function dutyOf(
  reader: Reader<"tenant">,
  instructor_id: PersonId | null,
  whole: Interval,
  settings: Settings,
): Promise<(one: Interval) => boolean> {
  if (instructor_id === null || settings.duty !== "block" || !limitsDuty(settings)) return () => false;
  const timeZone = await timeZoneOf(reader);
  const worked = workedOn(await dutiesOf(reader, instructor_id, around(whole)), timeZone);
  const known = new Map<Instant, boolean>();
  return (one) => {
    const isTooMuch = known.get(one.start_at) ?? exceeded(worked, one, timeZone, settings).length > 0;
    known.set(one.start_at, isTooMuch);
    return isTooMuch;
  };
}

/** Returns the starts in free intervals that are long enough, in order, each aircraft's without overlaps. */
async function candidatesIn(
  reader: Reader<"tenant">,
  { icao_type, aircraft_id, instructor_id, student_id, minutes: length }: SlotQuery,
  whole: Interval,
  settings: Settings,
): Promise<Iterable<Candidate>> {
  const free = await freeFor(
    reader,
    { ...(instructor_id && { instructor_id }), ...(student_id && { student_id }) },
    whole,
    settings,
  );
  const isOfPlane = (icao_type ?? aircraft_id) !== undefined;
  const planes = isOfPlane ? await planesFor(reader, { icao_type, aircraft_id }) : [null];
  const sources: Iterator<Candidate>[] = [];
  for (const plane of planes) {
    const buffer = bufferOf("aircraft", settings);
    const open = plane === null ? free : common(free, await notBooked(reader, plane.id, whole, buffer));
    sources.push(startsIn(open, minutes(length), plane));
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

/** Yields the starts in free intervals that are long enough, one after the other without overlaps. */
function* startsIn(open: readonly Interval[], length: number, plane: Plane | null): Generator<Candidate> {
  for (const { start_at, end_at } of open)
    for (let start = roundedUp(start_at), end = shift(start, length); end <= end_at; ) {
      yield { start_at: start, end_at: end, plane };
      start = roundedUp(end);
      end = shift(start, length);
    }
}

const roundedUp = (at: Instant): Instant => shift(at, (quarter - (Date.parse(at) % quarter)) % quarter);
