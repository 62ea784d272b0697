import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { conflict } from "../../../core/errors.ts";
import type { EnrollmentId } from "../../../core/ids.ts";
import type { TenantContext } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { changeVerb } from "../../../storage/verbs.ts";
import { requireOther } from "../own-training.queries.ts";
import { progressOn } from "../progress/progress.queries.ts";
import { requireInEffect, requireKnown, requireNotFuture } from "./enroll.ts";
import { type EnrollmentRow, enrollmentEntity } from "./enrollments.queries.ts";
import type { EnrollmentChange, ImportedCredit } from "./enrollments.schemas.ts";
import { firstTrained } from "./first-trained.queries.ts";

const permission = "training:manage";

/** @throws CONFLICT with the present status */
export function requireStatus({ status }: EnrollmentRow, wanted: EnrollmentRow["status"]): void {
  if (status !== wanted) throw conflict("wrong_status", `The enrollment is ${status}, not ${wanted}.`);
}

type Ref = { enrollmentId: EnrollmentId };

/** @throws NOT_FOUND; FORBIDDEN the caller is the student */
const requireOthers = ({ tenant, actor }: TenantContext, ref: Ref): Promise<void> =>
  tenant.read(async (reader) => requireOther(reader, actor, (await enrollmentEntity.row(reader, ref)).student_id));

/**
 * @throws NOT_FOUND; FORBIDDEN the caller would credit their own training; VALIDATION_ERROR the start is in the future, or before
 *   the revision takes effect; CONFLICT it has ended, or training is recorded before the start
 */
export const changeEnrollment = changeVerb(enrollmentEntity, {
  permission,
  async before(context, { change, ...ref }: Ref & { change: EnrollmentChange }) {
    if (change.credits !== undefined) await requireOthers(context, ref);
  },
  async set(tx, row, { change }) {
    if (row.ended_on !== null) throw conflict("wrong_status", `The enrollment is ${row.status}.`);
    if (change.started_on !== undefined) await requireStart(tx, row, change.started_on);
    return change;
  },
});

async function requireStart(tx: Tx<"tenant">, row: EnrollmentRow, started_on: LegalDate): Promise<void> {
  await requireNotFuture(tx, "started_on", started_on);
  const { effective_from } = await requireKnown(tx, row.revision_id);
  // A student who moved to this revision may have begun before it.
  if (effective_from <= row.started_on) requireInEffect(effective_from, "started_on", started_on);
  const first = await firstTrained(tx, row.id);
  if (first !== undefined && first < started_on)
    throw conflict("training_recorded", `Training is recorded from ${first} on.`);
}

/**
 * Adds credits from an evidence pack. They replace those of another pack about the same enrollment at its issuer.
 *
 * @throws NOT_FOUND; CONFLICT it has ended
 */
export const importCredits = changeVerb(enrollmentEntity, {
  permission,
  action: "credits_imported",
  async set(_tx, row, { imported }: { imported: readonly ImportedCredit[] }) {
    if (row.ended_on !== null) throw conflict("wrong_status", `The enrollment is ${row.status}.`);
    const sources = new Set(imported.map(({ source }) => source.enrollment_id));
    const others = row.credits.filter(({ source }) => source === undefined || !sources.has(source.enrollment_id));
    return { credits: [...others, ...imported] };
  },
});

/** @throws NOT_FOUND; CONFLICT it is not active */
export const suspendEnrollment = changeVerb(enrollmentEntity, {
  permission,
  action: "suspended",
  async set(_tx, row, { reason }: { reason: string }) {
    requireStatus(row, "active");
    return { status: "suspended" as const, reason };
  },
});

/** @throws NOT_FOUND; CONFLICT it is not suspended */
export const resumeEnrollment = changeVerb(enrollmentEntity, {
  permission,
  action: "resumed",
  async set(_tx, row) {
    requireStatus(row, "suspended");
    return { status: "active" as const, reason: null };
  },
});

/** @throws NOT_FOUND; CONFLICT it is not active */
export const withdrawEnrollment = changeVerb(enrollmentEntity, {
  permission,
  action: "withdrawn",
  async set(tx, row, { reason }: { reason: string }) {
    requireStatus(row, "active");
    return { status: "withdrawn" as const, reason, ended_on: toLegalDate(await today(tx, tx.now)) };
  },
});

/** @throws NOT_FOUND; FORBIDDEN the caller is the student; CONFLICT it is not active, or something is missing of the programme */
export const completeEnrollment = changeVerb(enrollmentEntity, {
  permission,
  action: "completed",
  before: (context, ref: Ref) => requireOthers(context, ref),
  async set(tx, row) {
    requireStatus(row, "active");
    const on = await today(tx, tx.now);
    const { complete, missing } = await progressOn(tx, row.id, on);
    if (!complete) throw conflict("training_incomplete", `Missing of the programme: ${missing.join(", ")}.`);
    return { status: "completed" as const, ended_on: toLegalDate(on) };
  },
});
