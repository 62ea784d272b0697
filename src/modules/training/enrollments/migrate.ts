/** Moves a student to another revision of the program. Lessons and items with the same codes are the same. */
import { toLegalDate } from "../../../core/dates.ts";
import { invalid, wrongStatus } from "../../../core/errors.ts";
import type { Reader } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { changeVerb } from "../../../storage/verbs.ts";
import { freezeRevision } from "../revisions/freeze-revision.ts";
import type { RevisionRow } from "../revisions/revisions.queries.ts";
import type { RevisionId } from "../training.tables.ts";
import { knownRevision, requireInEffect } from "./enroll.ts";
import { type EnrollmentRow, enrollmentEntity } from "./enrollments.queries.ts";
import { requireStatus } from "./enrollments.verbs.ts";

/** @throws NOT_FOUND; VALIDATION_ERROR; CONFLICT it is not active, or the other revision is not published */
export const migrateEnrollment = changeVerb(enrollmentEntity, {
  permission: "training:manage",
  action: "migrated",
  async set(tx, row, { revision_id }: { revision_id: RevisionId }) {
    requireStatus(row, "active");
    const { effective_from, status } = await requireOther(tx, row, revision_id);
    if (status !== "published") throw wrongStatus("revision", status, "published");
    requireInEffect(effective_from, "revision_id", toLegalDate(await today(tx, tx.now)));
    await freezeRevision(tx, revision_id);
    return { revision_id };
  },
});

/** @throws VALIDATION_ERROR it is of another program, or the present one */
export async function requireOther(reader: Reader<"tenant">, row: EnrollmentRow, id: RevisionId): Promise<RevisionRow> {
  const target = await knownRevision(reader, id);
  const refuse = (message: string) => invalid({ path: "revision_id", code: "impossible", message });
  if (target.program_id !== row.program_id) throw refuse("The revision is of another program.");
  if (target.id === row.revision_id) throw refuse("The student is enrolled in this revision.");
  return target;
}
