/** Steps that booking a session and moving one share. All run in the transaction that writes it. */
import { and, eq, gt, ne, sql } from "drizzle-orm";
import { authorize, type MemberActor, permits } from "../../../core/actor.ts";
import { days, hours, type Instant, shift } from "../../../core/clock.ts";
import { conflict, forbidden, type Issue, invalid, Problem, throwIfAny } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { findAircraftRow } from "../../fleet/fleet.queries.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { isBlocking, type PlanningSessionId, planningResources, type ResourceType } from "../planning.tables.ts";
import { findRoomRow } from "../rooms/rooms.queries.ts";
import { type Booking, type Finding, found, type Interval, type Resource } from "../rules/booking.ts";
import { longestSession } from "../rules/duty.ts";
import { findClashes } from "../rules/find-clashes.ts";
import { requireLesson } from "../rules/lessons.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import { ownPerson } from "./sessions.queries.ts";

/**
 * Refuses a booking that clashes or that a rule forbids.
 *
 * @returns what it takes up
 * @throws VALIDATION_ERROR, FORBIDDEN; CONFLICT with the list of all that is against it
 */
export async function checkBooking(
  tx: Tx<"tenant">,
  actor: MemberActor,
  booking: Booking,
  settings: Settings,
): Promise<Resource[]> {
  throwIfAny(contentIssues(booking));
  await requireMayBook(tx, actor, booking, settings);
  await requireLesson(tx, booking);
  const { resources, pilots, unusable } = await resourcesOf(tx, booking);
  if (unusable[0]) throw unusable[0].problem;
  const findings = await findClashes(tx, { booking, resources, pilots, settings });
  refuseIfBlocked(await shownTo(tx, actor, booking, findings));
  return resources;
}

const needed = {
  flight: ["aircraft_id"],
  lesson: ["instructor_id"],
  maintenance: ["aircraft_id"],
  ground: [],
  other: [],
} as const;

function contentIssues({ kind, start_at, end_at, instructor_id, student_ids, ...rest }: Booking): Issue[] {
  const issues: Issue[] = [];
  const report = (path: string, message: string) => issues.push({ path, code: "impossible", message });
  if (start_at < "2000" || end_at >= "2200") report("start_at", "Must be between 2000 and 2200.");
  else if (end_at <= start_at) report("end_at", "Must be after `start_at`.");
  else if (shift(start_at, longestSession) < end_at) report("end_at", "A session is at most 31 days long.");
  for (const name of needed[kind])
    if ({ ...rest, instructor_id }[name] === null)
      issues.push({ path: name, code: "missing", message: `A session of the kind "${kind}" needs it.` });
  if (instructor_id !== null && student_ids.includes(instructor_id))
    report("student_ids", "The instructor can't be a student of the same session.");
  return issues;
}

/** @throws FORBIDDEN, CONFLICT the limits of the school. Members with `planning:manage` may book anything. */
async function requireMayBook(
  reader: Tx<"tenant">,
  actor: MemberActor,
  booking: Booking,
  settings: Settings,
): Promise<void> {
  if (permits(actor, "planning:manage")) return;
  authorize(actor, "planning:book");
  const own = await requireOwn(reader, actor, booking);
  const limited = (message: string) => conflict("booking_limited", message);
  const { min_hours_ahead, max_days_ahead, max_open_bookings } = settings;
  const { earliest, latest } = startsFor(settings, reader.now);
  if (!settings.students_book) throw limited("Students do not book here. Ask the school.");
  if (booking.start_at < earliest) throw limited(`Book at least ${min_hours_ahead ?? 0} hours before the start.`);
  if (latest !== null && booking.start_at > latest)
    throw limited(`Book at most ${max_days_ahead} days before the start.`);
  if (await hasEnough(reader, own, settings, reader.now, booking.id))
    throw limited(`You have ${max_open_bookings} bookings that are still to come, and may not have more.`);
}

/** Returns when sessions that students book may begin. */
export const startsFor = ({ min_hours_ahead, max_days_ahead }: Settings, now: Instant) => ({
  earliest: shift(now, hours(min_hours_ahead ?? 0)),
  latest: max_days_ahead === null ? null : shift(now, days(max_days_ahead)),
});

/** @throws FORBIDDEN it is not a session of the caller alone */
export async function requireOwn(
  reader: Reader<"tenant">,
  actor: MemberActor,
  { kind, student_ids }: Pick<Booking, "kind" | "student_ids">,
): Promise<PersonId> {
  const own = await ownPerson(reader, actor);
  const isOwn = own !== undefined && student_ids.length === 1 && student_ids[0] === own;
  if (own === undefined || !isOwn || kind === "maintenance" || kind === "other")
    throw forbidden("not_own_session", "You may book only flights, lessons and ground sessions for yourself.");
  return own;
}

/** Returns whether a student has as many sessions still to come as the school allows. @param id one that does not count */
export async function hasEnough(
  reader: Reader<"tenant">,
  own: PersonId,
  { max_open_bookings }: Settings,
  now: Instant,
  id?: PlanningSessionId,
): Promise<boolean> {
  if (max_open_bookings === null) return false;
  const isOpen = and(
    eq(planningResources.resource_id, own),
    isBlocking,
    gt(planningResources.start_at, now),
    id && ne(planningResources.session_id, id),
  );
  return (await reader.$count(planningResources, isOpen)) >= max_open_bookings;
}

interface Named {
  resources: Resource[];
  /** Those of the people who may fly as pilot in command. */
  pilots: ReadonlySet<string>;
  /** What can't be booked any more, and why. */
  unusable: { resource: Resource; problem: Problem }[];
}

/** Returns what a booking takes up. @throws VALIDATION_ERROR no such aircraft, person or room */
export async function resourcesOf(
  reader: Reader<"tenant">,
  {
    aircraft_id,
    instructor_id,
    room_id,
    student_ids,
  }: Pick<Booking, "aircraft_id" | "instructor_id" | "room_id" | "student_ids">,
): Promise<Named> {
  const resources: Resource[] = [];
  const unusable: Named["unusable"] = [];
  const pilots = new Set<string>();
  const add = (resource: Resource, problem: Problem | false) => {
    resources.push(resource);
    if (problem) unusable.push({ resource, problem });
  };
  if (aircraft_id !== null) {
    const plane = await findAircraftRow(reader, aircraft_id);
    if (plane === undefined)
      throw invalid({ path: "aircraft_id", code: "unknown", message: "There is no such aircraft." });
    const isArchived = plane.status === "archived";
    const resource = { type: "aircraft", id: aircraft_id, name: plane.registration } as const;
    add(resource, isArchived && conflict("aircraft_archived", "The aircraft is archived."));
  }
  if (room_id !== null) {
    const room = await findRoomRow(reader, room_id);
    const isArchived = room.status === "archived";
    const resource = { type: "room", id: room_id, name: room.name } as const;
    add(resource, isArchived && conflict("room_archived", "The room is archived."));
  }
  const people: [path: string, ResourceType, PersonId][] = [
    ...(instructor_id === null
      ? []
      : [["instructor_id", "instructor", instructor_id] as [string, ResourceType, PersonId]]),
    ...student_ids.map((id, at): [string, ResourceType, PersonId] => [`student_ids.${at}`, "student", id]),
  ];
  for (const [path, type, id] of people) {
    const person = await findPersonRow(reader, id);
    if (person === undefined) throw invalid({ path, code: "unknown", message: "There is no such person." });
    const problem =
      (person.status === "archived" && conflict("person_archived", `${person.name} is archived.`)) ||
      (type === "instructor" &&
        !person.types.includes("instructor") &&
        invalid({ path, code: "impossible", message: "The person is no instructor." }));
    if (person.types.includes("pilot") || person.types.includes("instructor")) pilots.add(id);
    add({ type, id, name: person.name }, problem);
  }
  return { resources, pilots, unusable };
}

/**
 * Returns the findings as the caller may see them. Medicals are health data: the caller learns that something is missing, and
 * about others not what. Members without `planning:read` learn about all others only that somebody is not ready.
 */
export async function shownTo(
  reader: Reader<"tenant">,
  actor: MemberActor,
  booking: Interval,
  findings: readonly Finding[],
): Promise<Finding[]> {
  const seesPlanning = permits(actor, "planning:read");
  if (seesPlanning && permits(actor, "medicals:read")) return [...findings];
  const own = await ownPerson(reader, actor);
  const isOther = ({ resource }: Finding) =>
    (resource?.type === "instructor" || resource?.type === "student") && resource.id !== own;
  const rule = "person";
  if (seesPlanning)
    return findings.map((one) =>
      one.health && isOther(one) ? { ...one, rule, message: "The person is not clear to fly." } : one,
    );
  const hidden = findings.filter(isOther);
  const worst = hidden.find(({ action }) => action === "block") ?? hidden[0];
  const message = "Another person who takes part is not ready, or not available.";
  return [
    ...findings.filter((one) => !isOther(one)),
    ...(worst ? [found(booking, { rule, action: worst.action, message })] : []),
  ];
}

/** @throws CONFLICT a finding blocks */
function refuseIfBlocked(findings: readonly Finding[]): void {
  const conflicts = findings
    .filter(({ action }) => action === "block")
    .map(({ action: _, health: __, ...clash }) => clash);
  const [first] = conflicts;
  if (first === undefined) return;
  const more =
    conflicts.length > 1 ? ` There ${conflicts.length > 2 ? "are" : "is"} ${conflicts.length - 1} more.` : "";
  throw new Problem("CONFLICT", `${first.message}${more}`, { reason: "booking_conflicts", conflicts });
}

/** Writes what a session takes up. */
export async function takeUp(
  tx: Tx<"tenant">,
  id: PlanningSessionId,
  { start_at, end_at }: Pick<Booking, "start_at" | "end_at">,
  resources: readonly Resource[],
): Promise<void> {
  await tx.delete(planningResources).where(eq(planningResources.session_id, id));
  await tx.each(
    insert,
    resources.map((one, position) => ({ id, position, type: one.type, resource_id: one.id, start_at, end_at })),
  );
}

const value = sql.placeholder;
const insert = sql`insert into ${planningResources} (session_id, position, type, resource_id, start_at, end_at, blocks)
  values (${value("id")}, ${value("position")}, ${value("type")}, ${value("resource_id")}, ${value("start_at")}, ${value("end_at")}, 1)`;

/** The session takes nothing up any more. */
export const release = (tx: Tx<"tenant">, id: PlanningSessionId) =>
  tx.update(planningResources).set({ blocks: false }).where(eq(planningResources.session_id, id));
