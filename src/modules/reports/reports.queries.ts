/** What the rows of the reports are made of. Each is read by itself, so that requests run between them. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { type Instant, shift } from "../../core/clock.ts";
import type { PersonId } from "../../core/ids.ts";
import { dateField, idOf } from "../../http/fields.ts";
import { rowShape } from "../../storage/columns.ts";
import { ascending, nullAsEmpty, type PageRequest, pageBody } from "../../storage/page.ts";
import type { Reader } from "../../storage/store.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { publicFlight } from "../flights/flights.shapes.ts";
import { flightCrew, flights } from "../flights/flights.tables.ts";
import { isOneOf, people } from "../people/people.tables.ts";
import {
  cancellationReasons,
  isBlocking,
  planningResources,
  planningSessions,
  type ResourceType,
} from "../planning/planning.tables.ts";
import { maxSessionLength } from "../planning/rules/duty.ts";
import { trainingEnrollments } from "../training/training.tables.ts";
import { Booked } from "./reports.schemas.ts";

type TenantReader = Reader<"tenant">;

const plane = rowShape("ReportedAircraft", aircraft, { id: idOf<"aircraft">(), registration: z.string() });
const person = rowShape("ReportedPerson", people, { id: idOf<"person">(), name: z.string() });
const enrollment = rowShape("ReportedEnrollment", trainingEnrollments, {
  id: idOf<"enrollment">(),
  student_id: idOf<"person">(),
  started_on: dateField,
});

/** All aircraft, by registration: an archived one may have been flown in the period. */
export const listPlanes = (reader: TenantReader, page: PageRequest) =>
  pageBody(reader, plane, { ...page, from: aircraft, orderBy: ascending(plane, "registration") });

export const listInstructors = (reader: TenantReader, page: PageRequest) =>
  pageBody(reader, person, {
    ...page,
    from: people,
    where: isOneOf(people.types, ["instructor"]),
    orderBy: ascending(person, "name", "id"),
  });

export const listActiveEnrollments = (reader: TenantReader, page: PageRequest) =>
  pageBody(reader, enrollment, {
    ...page,
    from: trainingEnrollments,
    where: eq(trainingEnrollments.status, "active"),
    orderBy: ascending(enrollment, "id"),
  });

const value = sql.placeholder;
const { status, start_at, end_at } = planningSessions;
const isWork = sql`(${planningResources.type} = 'aircraft' and ${planningSessions.kind} = 'maintenance')`;
/** In the period, and no maintenance of the aircraft. */
const counted = (where: SQL) =>
  sql`count(*) filter (where ${where} and not ${isWork} and ${start_at} >= ${value("from")})`;
const isHeld = sql`${status} in ('planned', 'checked_in', 'completed')`;
const isCancelled = sql`${status} = 'cancelled' and not ${planningSessions.was_request}`;
const reasons = cancellationReasons.map((reason) => {
  const text = sql.raw(`'${reason}'`);
  return sql`${text}, ${counted(sql`${isCancelled} and ${planningSessions.cancellation_reason} = ${text}`)}`;
});
/** The part of a session that is in the period. */
const seconds = sql`unixepoch(min(${end_at}, ${value("to")})) - unixepoch(max(${start_at}, ${value("from")}))`;
const minutesOf = (where: SQL) => sql`cast(total(iif(${where}, ${seconds}, 0)) / 60 as integer)`;
/** By the index of a resource. No session is longer than 31 days, so those that begin earlier do not reach into the period. */
const booked = sql`
  select json_object(
    'sessions', ${counted(isHeld)},
    'booked_minutes', ${minutesOf(sql`${isHeld} and not ${isWork}`)},
    'maintenance_minutes', ${minutesOf(sql`${isHeld} and ${isWork}`)},
    'completed', ${counted(sql`${status} = 'completed'`)},
    'no_shows', ${counted(sql`${status} = 'no_show'`)},
    'late_cancellations', ${counted(sql`${isCancelled} and ${planningSessions.cancelled_late}`)},
    'cancellations', json_object(${sql.join(reasons, sql.raw(", "))}))
  from ${planningResources} cross join ${planningSessions} on ${planningSessions.id} = ${planningResources.session_id}
  where ${planningResources.resource_id} = ${value("id")} and ${planningResources.type} = ${value("type")}
    and ${planningResources.start_at} >= ${value("earliest")} and ${planningResources.start_at} < ${value("to")}
    and ${planningResources.end_at} > ${value("from")}`;

export interface Period {
  from: Instant;
  to: Instant;
}

const Counts = Booked.extend({ maintenance_minutes: z.int() });

/** Returns the sessions that took something up in the period: their minutes in it, and how many began in it. */
export async function bookedIn(
  reader: TenantReader,
  { type, id }: { type: Exclude<ResourceType, "room">; id: string },
  { from, to }: Period,
): Promise<z.infer<typeof Counts>> {
  const row = await reader.first(booked, { type, id, from, to, earliest: shift(from, -maxSessionLength) });
  return Counts.parse(JSON.parse(String(row?.[0])));
}

/** By the index of the logbooks. */
const lastFlight = sql`
  select ${flightCrew.logged_at} from ${flightCrew} cross join ${flights} on ${flights.id} = ${flightCrew.flight_id}
  where ${flightCrew.person_id} = ${value("id")} and logged_at is not null and ${flightCrew.logged_at} <= ${value("now")}
    and ${flights.nature} is not 'simulator'
  order by ${flightCrew.logged_at} desc limit 1`;

/** Returns when a person last flew, with or without a lesson. */
export async function lastFlown(reader: TenantReader, id: PersonId, now: Instant): Promise<Instant | null> {
  const row = await reader.first(lastFlight, { id, now });
  return (row?.[0] as Instant | undefined) ?? null;
}

const block = publicFlight.fields.block_minutes.value;
const offBlockAt = nullAsEmpty(flights.off_block_at);
const isApprovedThen = sql`${flights.status} = 'approved'
  and ${offBlockAt} >= ${value("from")} and ${offBlockAt} < ${value("to")}`;
const flownByPlane = sql`select cast(total(${block}) as integer) from ${flights}
  where ${flights.aircraft_id} = ${value("id")} and ${isApprovedThen}`;
/** By the index of the logbooks. */
const flownByInstructor = sql`
  select cast(total(${block}) as integer) from ${flightCrew} cross join ${flights} on ${flights.id} = ${flightCrew.flight_id}
  where ${flightCrew.person_id} = ${value("id")} and ${flightCrew.function} = 'instructor' and logged_at is not null
    and ${flightCrew.logged_at} >= ${value("from")} and ${flightCrew.logged_at} < ${value("to")}`;

/** Returns the block time of approved flights that began in the period. */
export async function flownMinutes(
  reader: TenantReader,
  subject: "aircraft" | "instructor",
  id: string,
  { from, to }: Period,
): Promise<number> {
  const row = await reader.first(subject === "aircraft" ? flownByPlane : flownByInstructor, { id, from, to });
  return Number(row?.[0]);
}

/** Returns the start of the next session of a person. */
export async function nextSession(reader: TenantReader, id: string, now: Instant): Promise<Instant | null> {
  const [row] = await reader
    .select({ at: planningResources.start_at })
    .from(planningResources)
    .where(and(eq(planningResources.resource_id, id), isBlocking, sql`${planningResources.start_at} > ${now}`))
    .orderBy(planningResources.start_at)
    .limit(1);
  return row?.at ?? null;
}
