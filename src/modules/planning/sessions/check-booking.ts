/** Steps that booking a session and moving one share. All run in the transaction that writes it. */
import { and, eq, gt, ne, sql } from "drizzle-orm";
import { authorize, type MemberActor, permits } from "../../../core/actor.ts";
import { days, hours, type Instant, shift } from "../../../core/clock.ts";
import { conflict, forbidden, type Issue, invalid, Problem, throwIfAny } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { requireUsable } from "../../fleet/fleet.queries.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { isBlocking, type PlanningSessionId, planningResources, type ResourceType } from "../planning.tables.ts";
import { requireRoom } from "../rooms/rooms.queries.ts";
import type { Booking, Finding, Resource } from "../rules/booking.ts";
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
  const { resources, pilots } = await resourcesOf(tx, booking);
  const findings = await findClashes(tx, { booking, resources, pilots, settings });
  refuseIfBlocked(await shownTo(tx, actor, findings));
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
  if (end_at <= start_at) report("end_at", "Must be after `start_at`.");
  else if (shift(start_at, longestSession) < end_at) report("end_at", "A session is at most 31 days long.");
  if (start_at < "2000" || end_at >= "2200") report("start_at", "Must be between 2000 and 2200.");
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
  if (!settings.students_book) throw limited("Students do not book here. Ask the school.");
  if (booking.start_at < shift(reader.now, hours(min_hours_ahead ?? 0)))
    throw limited(`Book at least ${min_hours_ahead ?? 0} hours before the start.`);
  if (max_days_ahead !== null && booking.start_at > shift(reader.now, days(max_days_ahead)))
    throw limited(`Book at most ${max_days_ahead} days before the start.`);
  if (max_open_bookings !== null && (await openBookings(reader, own, reader.now, booking.id)) >= max_open_bookings)
    throw limited(`You have ${max_open_bookings} bookings that are still to come, and may not have more.`);
}

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

/** Returns how many sessions of a person are still to come. */
export const openBookings = (reader: Reader<"tenant">, own: PersonId, now: Instant, id?: PlanningSessionId) =>
  reader.$count(
    planningResources,
    and(
      eq(planningResources.resource_id, own),
      isBlocking,
      gt(planningResources.start_at, now),
      id && ne(planningResources.session_id, id),
    ),
  );

/** @throws VALIDATION_ERROR no such aircraft, person or room; CONFLICT it is archived */
export async function resourcesOf(
  reader: Reader<"tenant">,
  { aircraft_id, instructor_id, room_id, student_ids }: Booking,
): Promise<{ resources: Resource[]; pilots: ReadonlySet<string> }> {
  const resources: Resource[] = [];
  const pilots = new Set<string>();
  const add = (type: ResourceType, id: string, name: string) => resources.push({ type, id, name });
  if (aircraft_id !== null) add("aircraft", aircraft_id, (await requireUsable(reader, aircraft_id)).registration);
  if (room_id !== null) add("room", room_id, (await requireRoom(reader, room_id)).name);
  const people: [path: string, ResourceType, PersonId][] = [
    ...(instructor_id === null
      ? []
      : [["instructor_id", "instructor", instructor_id] as [string, ResourceType, PersonId]]),
    ...student_ids.map((id, at): [string, ResourceType, PersonId] => [`student_ids.${at}`, "student", id]),
  ];
  for (const [path, type, id] of people) {
    const person = await findPersonRow(reader, id);
    if (person === undefined) throw invalid({ path, code: "unknown", message: "There is no such person." });
    if (person.status === "archived") throw conflict("person_archived", `${person.name} is archived.`);
    if (type === "instructor" && !person.types.includes("instructor"))
      throw invalid({ path, code: "impossible", message: "The person is no instructor." });
    if (person.types.includes("pilot") || person.types.includes("instructor")) pilots.add(id);
    add(type, id, person.name);
  }
  return { resources, pilots };
}

/** Medicals are health data: the caller learns that something is missing, and about others not what. */
export async function shownTo(
  reader: Reader<"tenant">,
  actor: MemberActor,
  findings: readonly Finding[],
): Promise<Finding[]> {
  if (permits(actor, "medicals:read")) return [...findings];
  const own = await ownPerson(reader, actor);
  return findings.map((one) =>
    one.health && one.resource?.id !== own
      ? { ...one, rule: "person", message: "The person is not clear to fly." }
      : one,
  );
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
