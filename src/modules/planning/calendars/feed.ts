import { yieldToEventLoop } from "../../../core/async.ts";
import { days, type Instant, shift } from "../../../core/clock.ts";
import { type Cursor, decodeCursor } from "../../../core/cursor.ts";
import type { Id } from "../../../core/ids.ts";
import type { Tenant } from "../../../storage/store.ts";
import { listAllSessions, listOfResource } from "../sessions/sessions.queries.ts";
import type { Session } from "../sessions/sessions.shapes.ts";
import { calendarOwner } from "./calendars.queries.ts";
import { emptyCalendar, eventLines } from "./ics.ts";

/** A feed has the sessions from a month ago to half a year ahead, the earliest first, and at most so many. */
const before = days(31);
const after = days(183);
const most = 5000;
const piece = 100;

/** Returns the calendar as text, with sessions that were cancelled. @throws NOT_FOUND */
export async function feedOf(tenant: Tenant, calendarId: string, now: Instant): Promise<string> {
  const { type, name } = await tenant.read((reader) => calendarOwner(reader, calendarId));
  // From the beginning of a day, so that the text stays the same for a day.
  const today = `${now.slice(0, 10)}T00:00:00.000Z` as Instant;
  const period = { from: shift(today, -before), to: shift(today, after) };
  const [begin, end] = emptyCalendar(name);
  const parts = [begin];
  let cursor: Cursor | undefined;
  do {
    const page = { limit: piece, cursor, ...period };
    const body = await tenant.read((reader) =>
      type === "organization"
        ? listAllSessions(reader, page)
        : listOfResource(reader, { ...page, person_id: calendarId as Id<"person"> }),
    );
    const read: { data: Session[]; page: { next_cursor: string | null } } = JSON.parse(body.toString());
    parts.push(...read.data.map((session) => eventLines(session)));
    cursor = read.page.next_cursor === null ? undefined : decodeCursor(read.page.next_cursor);
    await yieldToEventLoop();
  } while (cursor !== undefined && parts.length < most);
  return [...parts, end].join("");
}
