/** Rules that the schemas can't check. The transaction that writes the person checks them. */
import { and, count, eq } from "drizzle-orm";
import type { LegalDate } from "../../core/dates.ts";
import { conflict, type Issue, invalid, throwIfAny } from "../../core/errors.ts";
import type { PersonId, UserId } from "../../core/ids.ts";
import { rolesOf } from "../../identity/memberships.queries.ts";
import type { TenantContext } from "../../storage/context.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import { today } from "../../storage/today.ts";
import { findPersonRow, isLinkedElsewhere } from "./people.queries.ts";
import { people } from "./people.tables.ts";

export type PersonRow = typeof people.$inferSelect;

/**
 * Runs before the transaction, because memberships are in the control database.
 *
 * @throws VALIDATION_ERROR the account is not a member of the organization
 */
export async function requireMember(
  { control, tenant }: TenantContext,
  userId: UserId | null | undefined,
): Promise<void> {
  if (userId === null || userId === undefined) return;
  const roles = await control.read((reader) => rolesOf(reader, tenant.id, userId));
  if (roles === undefined)
    throw invalid(issue("user_id", "unknown", "No member of this organization has this account."));
}

/**
 * @throws VALIDATION_ERROR the date of birth is in the future; a restricted instructor has no supervisor who is another,
 *   active, unrestricted instructor; a person who supervises an instructor would stop being an unrestricted instructor
 * @throws CONFLICT another person is linked to the account
 */
export async function checkPerson(tx: Tx<"tenant">, person: PersonRow): Promise<void> {
  const issues = [
    ...((await isFuture(tx, person.date_of_birth))
      ? [issue("date_of_birth", "impossible", "It is in the future.")]
      : []),
    ...(await supervisionIssues(tx, person)),
  ];
  throwIfAny(issues);
  if (await isLinkedElsewhere(tx, person))
    throw conflict("account_linked", "This account is already linked to another person.");
}

const isFuture = async (tx: Tx<"tenant">, date: LegalDate | null): Promise<boolean> =>
  date !== null && Temporal.PlainDate.compare(date, await today(tx, tx.now)) > 0;

async function supervisionIssues(reader: Reader<"tenant">, person: PersonRow): Promise<Issue[]> {
  const issues: Issue[] = [];
  const isInstructor = person.types.includes("instructor");
  if (person.restricted_instructor && !isInstructor) {
    issues.push(issue("restricted_instructor", "supervision", "Only an instructor can be a restricted instructor."));
  }
  if (person.restricted_instructor && !(await maySupervise(reader, person.supervisor_id, person.id))) {
    const message = "A restricted instructor needs a supervisor who is another, active, unrestricted instructor.";
    issues.push(issue("supervisor_id", "supervision", message));
  }
  if (!person.restricted_instructor && person.supervisor_id !== null) {
    issues.push(issue("supervisor_id", "supervision", "Only a restricted instructor has a supervisor."));
  }
  if ((person.restricted_instructor || !isInstructor) && (await supervises(reader, person.id))) {
    const field = isInstructor ? "restricted_instructor" : "types";
    issues.push(
      issue(
        field,
        "supervision",
        "This person supervises a restricted instructor. Assign that instructor another supervisor first.",
      ),
    );
  }
  return issues;
}

async function maySupervise(reader: Reader<"tenant">, id: PersonId | null, supervised: PersonId): Promise<boolean> {
  if (id === null || id === supervised) return false;
  const row = await findPersonRow(reader, id);
  return row?.types.includes("instructor") === true && !row.restricted_instructor && row.status === "active";
}

/** Archived instructors do not count: their restoration checks their supervisor. */
export async function supervises(reader: Reader<"tenant">, id: PersonId): Promise<boolean> {
  const [row] = await reader
    .select({ supervised: count() })
    .from(people)
    .where(and(eq(people.supervisor_id, id), eq(people.status, "active")));
  return row !== undefined && row.supervised > 0;
}

/**
 * Checks a change of a person's status, and that an archived person is only restored.
 *
 * @throws CONFLICT the person was erased, is archived and stays so, or is to be archived and supervises instructors
 */
export async function checkStatus(tx: Tx<"tenant">, before: PersonRow, change: Partial<PersonRow>): Promise<void> {
  if (before.erased_at !== null)
    throw conflict("person_erased", `The person's data was erased at ${before.erased_at}. Add the person anew.`, {
      erased_at: before.erased_at,
    });
  if (before.status === "archived" && change.status !== "active")
    throw conflict("person_archived", 'The person is archived. Undo that with the status "active".');
  if (change.status !== "archived") return;
  if (change.user_id != null && change.user_id !== before.user_id)
    throw conflict("person_archived", "An archived person can't be linked to an account.");
  if (await supervises(tx, before.id))
    throw conflict(
      "supervises_instructors",
      "This person supervises a restricted instructor. Assign that instructor another supervisor first.",
    );
}

const issue = (field: string, code: Issue["code"], message: string): Issue => ({ path: field, code, message });
