/** What the rows of the reports are made of. Each is read by itself, so that requests run between them. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Instant } from "../../core/clock.ts";
import { idOf } from "../../http/fields.ts";
import { rowShape } from "../../storage/columns.ts";
import { ascending, nullAsEmpty, type PageRequest, pageBody } from "../../storage/page.ts";
import type { Reader } from "../../storage/store.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { publicFlight } from "../flights/flights.shapes.ts";
import { flightCrew, flights } from "../flights/flights.tables.ts";
import { isOneOf, people } from "../people/people.tables.ts";
import { cancellationReasons, isBlocking, planningResources, planningSessions } from "../planning/planning.tables.ts";
import { trainingEnrollments } from "../training/training.tables.ts";
import { Booked } from "./reports.schemas.ts";

type TenantReader = Reader<"tenant">;

const plane = rowShape("ReportedAircraft", aircraft, { id: idOf<"aircraft">(), registration: z.string() });
const person = rowShape("ReportedPerson", people, { id: idOf<"person">(), name: z.string() });
const enrollment = rowShape("ReportedEnrollment", trainingEnrollments, {
  id: idOf<"enrollment">(),
  student_id: idOf<"person">(),
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
const counted = (where: SQL) => sql`count(*) filter (where ${where})`;
const isHeld = sql`${planningSessions.status} in ('planned', 'checked_in', 'completed')`;
const reasons = cancellationReasons.map(
  (reason) =>
    sql`${sql.raw(`'${reason}'`)}, ${counted(sql`${planningSessions.status} = 'cancelled' and ${planningSessions.cancellation_reason} = ${sql.raw(`'${reason}'`)}`)}`,
);
/** By the index of a resource. */
const booked = sql`
  select json_object(
    'sessions', ${counted(isHeld)},
    'booked_minutes', cast(total(iif(${isHeld}, unixepoch(${planningSessions.end_at}) - unixepoch(${planningSessions.start_at}), 0)) / 60 as integer),
    'completed', ${counted(sql`${planningSessions.status} = 'completed'`)},
    'no_shows', ${counted(sql`${planningSessions.status} = 'no_show'`)},
    'late_cancellations', ${counted(sql`${planningSessions.status} = 'cancelled' and ${planningSessions.cancelled_late}`)},
    'cancellations', json_object(${sql.join(reasons, sql.raw(", "))}))
  from ${planningResources} cross join ${planningSessions} on ${planningSessions.id} = ${planningResources.session_id}
  where ${planningResources.resource_id} = ${value("id")}
    and ${planningResources.start_at} >= ${value("from")} and ${planningResources.start_at} < ${value("to")}`;

export interface Period {
  from: Instant;
  to: Instant;
}

/** Returns the sessions that took an aircraft or a person up, and began in the period. */
export async function bookedIn(
  reader: TenantReader,
  id: string,
  { from, to }: Period,
): Promise<z.infer<typeof Booked>> {
  const row = await reader.first(booked, { id, from, to });
  return Booked.parse(JSON.parse(String(row?.[0])));
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
  of: "aircraft" | "instructor",
  id: string,
  { from, to }: Period,
): Promise<number> {
  const row = await reader.first(of === "aircraft" ? flownByPlane : flownByInstructor, { id, from, to });
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
