import { toLegalDate } from "../../../core/dates.ts";
import { conflict } from "../../../core/errors.ts";
import { today } from "../../../storage/today.ts";
import { changeVerb } from "../../../storage/verbs.ts";
import { progressOn } from "../progress/progress.queries.ts";
import { requireNotFuture } from "./enroll.ts";
import { type EnrollmentRow, enrollmentEntity } from "./enrollments.queries.ts";
import type { EnrollmentChange, ImportedCredit } from "./enrollments.schemas.ts";

const permission = "training:manage";

/** @throws CONFLICT with the present status */
export function requireStatus({ status }: EnrollmentRow, wanted: EnrollmentRow["status"]): void {
  if (status !== wanted) throw conflict("wrong_status", `The enrollment is ${status}, not ${wanted}.`);
}

/** @throws NOT_FOUND; VALIDATION_ERROR the start is in the future; CONFLICT it has ended */
export const changeEnrollment = changeVerb(enrollmentEntity, {
  permission,
  async set(tx, row, { change }: { change: EnrollmentChange }) {
    if (row.ended_on !== null) throw conflict("wrong_status", `The enrollment is ${row.status}.`);
    if (change.started_on !== undefined) await requireNotFuture(tx, "started_on", change.started_on);
    return change;
  },
});

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

/** @throws NOT_FOUND; CONFLICT it is not active, or something is missing of the programme */
export const completeEnrollment = changeVerb(enrollmentEntity, {
  permission,
  action: "completed",
  async set(tx, row) {
    requireStatus(row, "active");
    const on = await today(tx, tx.now);
    const { complete, missing } = await progressOn(tx, row.id, on);
    if (!complete) throw conflict("training_incomplete", `Missing of the programme: ${missing.join(", ")}.`);
    return { status: "completed" as const, ended_on: toLegalDate(on) };
  },
});
