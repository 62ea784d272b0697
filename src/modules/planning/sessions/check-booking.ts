import type { MemberActor } from "../../../core/actor.ts";
import { shift } from "../../../core/clock.ts";
import { type Issue, Problem, throwIfAny } from "../../../core/errors.ts";
import type { Tx } from "../../../storage/store.ts";
import type { Booking, Resource } from "../rules/booking.ts";
import { maxSessionLength } from "../rules/duty.ts";
import { findClashes } from "../rules/find-clashes.ts";
import { requireLesson } from "../rules/lessons.ts";
import { soloIssues } from "../rules/on-board.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import { type ShownFinding, shownTo } from "./findings-shown.ts";
import { requireMayBook } from "./may-book.ts";
import { resourcesOf } from "./resources-of.ts";

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
  const { resources, onBoard, unusable } = await resourcesOf(tx, booking);
  throwIfAny(soloIssues(onBoard, booking));
  if (unusable[0]) throw unusable[0].problem;
  const findings = await findClashes(tx, { booking, resources, onBoard, settings });
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
  else if (shift(start_at, maxSessionLength) < end_at) report("end_at", "A session is at most 31 days long.");
  for (const name of needed[kind])
    if ({ ...rest, instructor_id }[name] === null)
      issues.push({ path: name, code: "missing", message: `A session of the kind "${kind}" needs it.` });
  if (instructor_id !== null && student_ids.includes(instructor_id))
    report("student_ids", "The instructor can't be a student of the same session.");
  return issues;
}

/** @throws CONFLICT a finding blocks */
function refuseIfBlocked(findings: readonly ShownFinding[]): void {
  const conflicts = findings.filter(({ action }) => action === "block").map(({ action: _, ...clash }) => clash);
  const [first] = conflicts;
  if (first === undefined) return;
  const more =
    conflicts.length > 1 ? ` There ${conflicts.length > 2 ? "are" : "is"} ${conflicts.length - 1} more.` : "";
  throw new Problem("CONFLICT", `${first.message}${more}`, { reason: "booking_conflicts", conflicts });
}
