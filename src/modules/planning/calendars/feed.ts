import { yieldToEventLoop } from "../../../core/async.ts";
import { days, type Instant, shift } from "../../../core/clock.ts";
import { type Cursor, decodeCursor } from "../../../core/cursor.ts";
import type { Id } from "../../../core/ids.ts";
import type { Tenant } from "../../../storage/store.ts";
import {
  listAllSessions,
  listLatestOfResource,
  listLatestSessions,
  listOfResource,
} from "../sessions/sessions.queries.ts";
import type { Session } from "../sessions/sessions.shapes.ts";
import { calendarOwner } from "./calendars.queries.ts";
import { emptyCalendar, eventLines } from "./ics.ts";

/** A feed has the sessions from a month ago to half a year ahead. */
const before = days(31);
const after = days(183);
/** If it has more, the oldest are left out, and then those that are farthest ahead. */
const most = 5000;
const piece = 100;

interface Part {
  from: Instant;
  to: Instant;
  /** The latest first. */
  isPast: boolean;
}

/** Returns the calendar as text, with sessions that were cancelled. @throws NOT_FOUND */
export async function feedOf(
  tenant: Pick<Tenant, "read">,
  calendarId: string,
  now: Instant,
  limit = most,
): Promise<string> {
  const { type, name } = await tenant.read((reader) => calendarOwner(reader, calendarId));
  const person_id = type === "organization" ? undefined : (calendarId as Id<"person">);
  // From the beginning of a day, so that the text stays the same for a day.
  const today = `${now.slice(0, 10)}T00:00:00.000Z` as Instant;
  const [begin, end] = emptyCalendar(name);
  const future = await eventsIn(tenant, person_id, { from: today, to: shift(today, after), isPast: false }, limit);
  const past = { from: shift(today, -before), to: today, isPast: true };
  const recent = await eventsIn(tenant, person_id, past, limit - future.length);
  return [begin, ...recent.reverse(), ...future, end].join("");
}

/** @param person_id of a person, an aircraft or a room; undefined for the whole organization */
async function eventsIn(
  tenant: Pick<Tenant, "read">,
  person_id: Id<"person"> | undefined,
  { isPast, ...period }: Part,
  limit: number,
): Promise<string[]> {
  const events: string[] = [];
  const listAll = isPast ? listLatestSessions : listAllSessions;
  const listOne = isPast ? listLatestOfResource : listOfResource;
  for (let cursor: Cursor | undefined; events.length < limit; ) {
    const page = { limit: Math.min(piece, limit - events.length), cursor, ...period };
    const body = await tenant.read((reader) =>
      person_id === undefined ? listAll(reader, page) : listOne(reader, { ...page, person_id }),
    );
    const read: { data: Session[]; page: { next_cursor: string | null } } = JSON.parse(body.toString());
    events.push(...read.data.map((session) => eventLines(session)));
    await yieldToEventLoop();
    if (read.page.next_cursor === null) break;
    cursor = decodeCursor(read.page.next_cursor);
  }
  return events;
}
