/** A board: what is booked and what can't be, for all that has a row on it. */
import { type MemberActor, permits } from "../../../core/actor.ts";
import { yieldingEvery } from "../../../core/async.ts";
import type { Instant } from "../../../core/clock.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { JsonOf } from "../../../core/json-of.ts";
import type { Reader } from "../../../storage/store.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import { actionOf } from "../../rules/rules.queries.ts";
import type { Interval } from "../rules/booking.ts";
import { common, earlier, later, united, without } from "../rules/intervals.ts";
import { dayOf, type Presence, presenceOf, presencesOf, presentIn } from "../rules/presence.ts";
import { ownPerson } from "../sessions/sessions.queries.ts";
import { settingsOf } from "../settings/settings.ts";
import type { Board, BoardQuery, Busy } from "./board.schemas.ts";
import { beginningIn, type Row, rowsOf, sessionsJson, type TakenUp, takenUp } from "./taken.queries.ts";

/** Returns the board as the actor may see it. Members without `planning:read` see of others that something is busy. */
export async function boardOf(
  reader: Reader<"tenant">,
  actor: MemberActor,
  { from, to }: BoardQuery,
  now: Instant,
): Promise<JsonOf<Board>> {
  const whole = { start_at: from, end_at: to };
  const seesAll = permits(actor, "planning:read");
  const [rows, own, open] = [await rowsOf(reader), await ownPerson(reader, actor), await openIn(reader, whole)];
  const rowIds = rows.map(({ id }) => id);
  const ids = own === undefined ? rowIds : [...new Set<string>([...rowIds, own])];
  const taken = await takenUp(reader, ids, whole);
  const theirs = new Set(taken.filter(({ resource_id }) => resource_id === own).map(({ session_id }) => session_id));
  const shown = seesAll
    ? [...taken, ...(await beginningIn(reader, whole))]
    : taken.filter(({ session_id }) => theirs.has(session_id));
  const reasons = await against(reader, rows, whole, now, seesAll ? isKnown : blocks);
  const others = taken.filter(({ session_id }) => !theirs.has(session_id));
  const busy = seesAll ? reasons : onlyBusy(rows, reasons, others, whole);
  const sessions = await sessionsJson(reader, shown);
  return new JsonOf(`{"open":${JSON.stringify(open)},"sessions":${sessions},"busy":${JSON.stringify(busy)}}`);
}

async function openIn(reader: Reader<"tenant">, whole: Interval): Promise<Interval[]> {
  const [settings, timeZone] = [await settingsOf(reader), await timeZoneOf(reader)];
  if (settings.opening_hours === "off") return [whole];
  const school = await presenceOf(reader, null, toLegalDate(dayOf(timeZone, whole.start_at)));
  return presentIn(school, timeZone, whole);
}

type Counts = (action: "block" | "warn" | "off") => boolean;
const isKnown: Counts = (action) => action !== "off";
const blocks: Counts = (action) => action === "block";

/** Returns when the rows can't be booked, whatever is booked. @param counts by the school's action of the rule */
async function against(
  reader: Reader<"tenant">,
  rows: readonly Row[],
  whole: Interval,
  now: Instant,
  counts: Counts,
): Promise<Busy[]> {
  const [settings, timeZone] = [await settingsOf(reader), await timeZoneOf(reader)];
  const busy: Busy[] = [];
  const report = ({ type, id }: Row, because: Busy["because"], intervals: readonly Interval[]) => {
    for (const interval of intervals) busy.push({ type, resource_id: id, ...interval, because });
  };
  /** An open work order and a grounding last until somebody ends them. */
  const since = (at: Instant) => common([whole], [{ start_at: at, end_at: whole.end_at }]);
  const isGrounded = counts(await actionOf(reader, "aircraft_grounded"));
  for (const row of rows) {
    if (isGrounded && row.grounded_since) report(row, "grounded", since(row.grounded_since));
    if (counts(settings.out_of_service) && row.out_of_service) report(row, "out_of_service", since(now));
  }
  if (!counts(settings.availability)) return busy;
  const teachers = rows.filter(({ type }) => type === "instructor");
  const from = toLegalDate(dayOf(timeZone, whole.start_at));
  const presences = await presencesOf(
    reader,
    teachers.map(({ id }) => id),
    from,
  );
  const pause = yieldingEvery();
  for (const row of teachers) {
    await pause();
    const { hours, absences } = presences.get(row.id) ?? always;
    const missing = async (presence: Presence) => without(whole, await presentIn(presence, timeZone, whole));
    report(row, "absence", await missing({ hours: [], absences }));
    report(row, "hours", await missing({ hours, absences: [] }));
  }
  return busy;
}

const always: Presence = { hours: [], absences: [] };

/** Returns when each row is not to be had, without why: absences and sessions of others look the same. */
function onlyBusy(rows: readonly Row[], reasons: readonly Busy[], taken: readonly TakenUp[], whole: Interval): Busy[] {
  const of = Map.groupBy<string, Interval & { resource_id: string }>(
    [...reasons, ...taken],
    ({ resource_id }) => resource_id,
  );
  return rows.flatMap(({ type, id }) =>
    united(within(of.get(id) ?? [], whole)).map((interval) => ({ type, resource_id: id, ...interval, because: null })),
  );
}

/** Returns the intervals as far as they are in another. */
const within = (intervals: readonly Interval[], { start_at, end_at }: Interval): Interval[] =>
  intervals.map((one) => ({ start_at: later(one.start_at, start_at), end_at: earlier(one.end_at, end_at) }));
