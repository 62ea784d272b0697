import { sql } from "drizzle-orm";
import { authorize, permits, type Rights } from "../../../core/actor.ts";
import { notFound } from "../../../core/errors.ts";
import type { UserId } from "../../../core/ids.ts";
import type { Language } from "../../../core/languages.ts";
import type { Reader } from "../../../storage/store.ts";
import { meta } from "../../../storage/tenant.tables.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { people } from "../../people/people.tables.ts";
import { planningRooms } from "../planning.tables.ts";

export interface CalendarOwner {
  type: "person" | "aircraft" | "room" | "organization";
  name: string;
  /** Of a person, as the school entered it. */
  language: Language | null;
  user_id: UserId | null;
}

const id = sql.placeholder("id");
const statement = sql`
  select 'person', ${people.name}, ${people.language}, ${people.user_id} from ${people} where ${people.id} = ${id} and ${people.status} = 'active'
  union all select 'aircraft', ${aircraft.registration}, null, null from ${aircraft} where ${aircraft.id} = ${id}
  union all select 'room', ${planningRooms.name}, null, null from ${planningRooms} where ${planningRooms.id} = ${id}
  union all select 'organization', ${meta.name}, null, null from ${meta} where ${meta.org_id} = ${id}`;

/** Returns what the calendar with this id is of: a person, an aircraft, a room, or the organization. @throws NOT_FOUND */
export async function calendarOwner(reader: Reader<"tenant">, calendarId: string): Promise<CalendarOwner> {
  const row = await reader.first(statement, { id: calendarId });
  if (row === undefined) throw notFound();
  const [type, name, language, user_id] = row as [CalendarOwner["type"], string, Language | null, UserId | null];
  return { type, name, language, user_id };
}

/** @throws NOT_FOUND there is no such calendar, or the actor may see only their own; FORBIDDEN */
export async function requireCalendar(reader: Reader<"tenant">, calendarId: string, actor: Rights): Promise<void> {
  authorize(actor, "planning:read", "planning:read_own");
  const { type } = await calendarOwner(reader, calendarId);
  if (permits(actor, "planning:read")) return;
  const own = type === "person" && (await reader.first(isLinked, { id: calendarId, userId: actor.userId }));
  if (!own) throw notFound();
}

const isLinked = sql`select 1 from ${people} where ${people.id} = ${id} and ${people.user_id} = ${sql.placeholder("userId")}`;
