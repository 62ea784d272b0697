import { yieldToEventLoop } from "../../../core/async.ts";
import { days, type Instant, shift } from "../../../core/clock.ts";
import { type Cursor, decodeCursor } from "../../../core/cursor.ts";
import type { Id } from "../../../core/ids.ts";
import type { Language } from "../../../core/languages.ts";
import { accountLanguage } from "../../../identity/language.queries.ts";
import type { Control, Tenant } from "../../../storage/store.ts";
import { languageOfSchool } from "../../finance/customers/language.queries.ts";
import {
  listAllSessions,
  listLatestOfResource,
  listLatestSessions,
  listOfResource,
} from "../sessions/sessions.queries.ts";
import type { Session } from "../sessions/sessions.shapes.ts";
import { type CalendarOwner, calendarOwner } from "./calendars.queries.ts";
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

interface Sources {
  control: Control;
  tenant: Pick<Tenant, "read">;
}

/** Returns the calendar as text, with sessions that were cancelled. @throws NOT_FOUND */
export async function feedOf(
  { control, tenant }: Sources,
  calendarId: string,
  now: Instant,
  limit = most,
): Promise<string> {
  const owner = await tenant.read((reader) => calendarOwner(reader, calendarId));
  const { type, name } = owner;
  const language = await languageFor({ control, tenant }, owner);
  const person_id = type === "organization" ? undefined : (calendarId as Id<"person">);
  // From the beginning of a day, so that the text stays the same for a day.
  const today = `${now.slice(0, 10)}T00:00:00.000Z` as Instant;
  const [begin, end] = emptyCalendar(name);
  const events = (part: Part, atMost: number) => eventsIn({ tenant, person_id, language }, part, atMost);
  const future = await events({ from: today, to: shift(today, after), isPast: false }, limit);
  const recent = await events({ from: shift(today, -before), to: today, isPast: true }, limit - future.length);
  return [begin, ...recent.reverse(), ...future, end].join("");
}

/** The language of the person whose calendar it is, or else of the school. */
async function languageFor(
  { control, tenant }: Sources,
  { language, user_id }: Pick<CalendarOwner, "language" | "user_id">,
): Promise<Language> {
  const known = language ?? (user_id && (await accountLanguage({ control }, user_id)));
  return known ?? tenant.read(languageOfSchool);
}

interface Shown {
  tenant: Pick<Tenant, "read">;
  /** Of a person, an aircraft or a room; undefined for the whole organization. */
  person_id: Id<"person"> | undefined;
  language: Language;
}

async function eventsIn(
  { tenant, person_id, language }: Shown,
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
    events.push(...read.data.map((session) => eventLines(session, language)));
    await yieldToEventLoop();
    if (read.page.next_cursor === null) break;
    cursor = decodeCursor(read.page.next_cursor);
  }
  return events;
}
