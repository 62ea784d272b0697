/** What the school allows members without `planning:manage`. */
import { and, eq, gt, ne } from "drizzle-orm";
import { authorize, type MemberActor, permits } from "../../../core/actor.ts";
import { days, hours, type Instant, shift } from "../../../core/clock.ts";
import { conflict, forbidden } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { isBlocking, type PlanningSessionId, planningResources } from "../planning.tables.ts";
import type { Booking } from "../rules/booking.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import { ownPerson } from "./sessions.queries.ts";

/** @throws FORBIDDEN, CONFLICT the limits of the school. Members with `planning:manage` may book anything. */
export async function requireMayBook(
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
  if (booking.start_at < reader.now) throw limited("The start is in the past.");
  if (booking.start_at < earliest) throw limited(`Book at least ${min_hours_ahead} hours before the start.`);
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
    throw forbidden(
      "not_own_session",
      "You may book, move and cancel only flights, lessons and ground sessions for yourself alone.",
    );
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
