import type { LegalDate } from "../../../core/dates.ts";
import { conflict, invalid, wrongStatus } from "../../../core/errors.ts";
import type { EnrollmentId, PersonId } from "../../../core/ids.ts";
import { currencyOf } from "../../../identity/currency.queries.ts";
import { announce } from "../../../storage/occasions.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { addVerb } from "../../../storage/verbs.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { requireOther } from "../own-training.queries.ts";
import { programEntity } from "../programs/programs.queries.ts";
import { requireMayTrain } from "../programs/programs.verbs.ts";
import { freezeRevision } from "../revisions/freeze-revision.ts";
import { findRevision, type RevisionRow } from "../revisions/revisions.queries.ts";
import { enrolled } from "../training.occasions.ts";
import type { RevisionId } from "../training.tables.ts";
import { type EnrollmentRow, enrollmentEntity, openEnrollment } from "./enrollments.queries.ts";
import type { NewEnrollment } from "./enrollments.schemas.ts";

/**
 * Enrolls a student in a published revision, and raises the program's fee.
 *
 * @param charges whether fees are charged: not if the operator disabled `finance`
 * @throws VALIDATION_ERROR no such person or revision, or the start is in the future or before the revision takes effect
 * @throws FORBIDDEN the caller is the student, and would credit their own training
 * @throws CONFLICT the person is archived or does not fly; the revision is not published; the organization may not train this;
 *   the student is enrolled in the program already
 */
export const enroll = (charges: boolean) =>
  addVerb(enrollmentEntity, {
    permission: "training:manage",
    async before(context, { student_id, revision_id, credits }: NewEnrollment) {
      const kind = await context.tenant.read(async (reader) => {
        if (credits.length > 0) await requireOther(reader, context.actor, student_id);
        const { program_id } = await knownRevision(reader, revision_id);
        return (await programEntity.row(reader, { programId: program_id })).kind;
      });
      await requireMayTrain(context, kind);
      return { by: context, currency: charges ? await currencyOf(context) : undefined };
    },
    async row(tx, fresh, input: NewEnrollment) {
      const { student_id, revision_id, started_on } = input;
      await requireStudent(tx, student_id);
      const { program_id, status, effective_from } = await knownRevision(tx, revision_id);
      if (status !== "published") throw wrongStatus("revision", status, "published");
      if (await openEnrollment(tx, student_id, program_id))
        throw conflict("already_enrolled", "The student is enrolled in the program already.");
      await requireNotFuture(tx, "started_on", started_on);
      requireInEffect(effective_from, "started_on", started_on);
      requirePlan(input);
      await freezeRevision(tx, revision_id);
      return { ...fresh, ...input, program_id, status: "active" as const };
    },
    async also(tx, id: EnrollmentId, { by, currency }) {
      const row = await enrollmentEntity.row(tx, { enrollmentId: id });
      await announce(tx, enrolled, { ...row, by, currency });
    },
  });

/** @throws VALIDATION_ERROR */
export async function knownRevision(reader: Reader<"tenant">, id: RevisionId): Promise<RevisionRow> {
  const revision = await findRevision(reader, id);
  if (revision) return revision;
  throw invalid({ path: "revision_id", code: "unknown", message: "There is no such revision." });
}

/** @throws VALIDATION_ERROR */
export function requireInEffect(effective_from: LegalDate, path: string, on: LegalDate): void {
  if (on < effective_from)
    throw invalid({ path, code: "not_in_effect", message: `The revision takes effect on ${effective_from}.` });
}

/** @throws VALIDATION_ERROR the planned end is not after the start */
export function requirePlan(plan: Pick<EnrollmentRow, "started_on" | "planned_start_on" | "planned_end_on">): void {
  const { planned_start_on, started_on, planned_end_on } = plan;
  if (planned_end_on !== null && planned_end_on <= (planned_start_on ?? started_on))
    throw invalid({
      path: "planned_end_on",
      code: "out_of_order",
      message: "Must be after the start of the training.",
    });
}

async function requireStudent(tx: Tx<"tenant">, id: PersonId): Promise<void> {
  const person = await findPersonRow(tx, id);
  if (person === undefined) throw invalid({ path: "student_id", code: "unknown", message: "There is no such person." });
  if (person.status === "archived") throw conflict("person_archived", "The person is archived.");
  if (!person.types.includes("student") && !person.types.includes("pilot"))
    throw conflict("person_not_student", "The person is neither a student nor a pilot.");
}

/** @throws VALIDATION_ERROR */
export async function requireNotFuture(tx: Tx<"tenant">, path: string, date: LegalDate): Promise<void> {
  if (Temporal.PlainDate.compare(date, await today(tx, tx.now)) > 0)
    throw invalid({ path, code: "in_future", message: "Must not be after today." });
}
