import { canonicalJson } from "../../../core/canonical-json.ts";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { conflict, invalid, wrongStatus } from "../../../core/errors.ts";
import type { EnrollmentId } from "../../../core/ids.ts";
import type { TenantContext } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { changeVerb } from "../../../storage/verbs.ts";
import { requireOther } from "../own-training.queries.ts";
import { progressOn } from "../progress/progress.queries.ts";
import { knownRevision, requireInEffect, requireNotFuture, requirePlan } from "./enroll.ts";
import { type EnrollmentRow, enrollmentEntity } from "./enrollments.queries.ts";
import { type Credit, type EnrollmentChange, mostCredits, type Source } from "./enrollments.schemas.ts";
import { firstTrained } from "./first-trained.queries.ts";

const permission = "training:manage";

/** @throws CONFLICT with the present status */
export function requireStatus({ status }: EnrollmentRow, wanted: EnrollmentRow["status"]): void {
  if (status !== wanted) throw wrongStatus("enrollment", status, wanted);
}

type Ref = { enrollmentId: EnrollmentId };

/** @throws NOT_FOUND; FORBIDDEN the caller is the student */
const requireOthers = ({ tenant, actor }: TenantContext, ref: Ref): Promise<void> =>
  tenant.read(async (reader) => requireOther(reader, actor, (await enrollmentEntity.row(reader, ref)).student_id));

/**
 * @throws NOT_FOUND; FORBIDDEN the caller would credit their own training; VALIDATION_ERROR the start is in the future, or before
 *   the revision takes effect; a source was written; CONFLICT it has ended, or training is recorded before the start
 */
export const changeEnrollment = changeVerb(enrollmentEntity, {
  permission,
  async before(context, { change, ...ref }: Ref & { change: EnrollmentChange }) {
    if (change.credits !== undefined) await requireOthers(context, ref);
  },
  async set(tx, row, { change }) {
    if (row.ended_on !== null) throw wrongStatus("enrollment", row.status, "active", "suspended");
    if (change.started_on !== undefined) await requireStart(tx, row, change.started_on);
    requireSources(row.credits, change.credits);
    requirePlan({ ...row, ...change });
    return change;
  },
});

async function requireStart(tx: Tx<"tenant">, row: EnrollmentRow, started_on: LegalDate): Promise<void> {
  await requireNotFuture(tx, "started_on", started_on);
  const { effective_from } = await knownRevision(tx, row.revision_id);
  // A student who moved to this revision may have begun before it.
  if (effective_from <= row.started_on) requireInEffect(effective_from, "started_on", started_on);
  const first = await firstTrained(tx, row.id);
  if (first !== undefined && first < started_on)
    throw conflict("training_recorded", `Training is recorded from ${first} on.`, { since: first });
}

/** A source says what a pack has proved, so only an import states it. @throws VALIDATION_ERROR */
function requireSources(known: readonly Credit[], wanted: readonly Credit[] = []): void {
  const left = known.map(canonicalJson);
  for (const [index, credit] of wanted.entries()) {
    if (credit.source === undefined) continue;
    const at = left.indexOf(canonicalJson(credit));
    if (at === -1)
      throw invalid({
        path: `credits.${index}.source`,
        code: "impossible",
        message: "A credit from an evidence pack stays as it was imported, or is left out.",
      });
    left.splice(at, 1);
  }
}

/** What an evidence pack proves: the credits are fewer than the measures, and may be none. */
export interface Imported {
  source: Source;
  credits: readonly Credit[];
}

/**
 * Adds credits from an evidence pack. They replace those of an older pack about the same enrollment at its issuer.
 *
 * @throws NOT_FOUND; CONFLICT it has ended; there are credits of a newer pack; there would be too many
 */
export const importCredits = changeVerb(enrollmentEntity, {
  permission,
  action: "credits_imported",
  async set(tx, row, { read }: { read: (tx: Tx<"tenant">, row: EnrollmentRow) => Promise<Imported> }) {
    if (row.ended_on !== null) throw wrongStatus("enrollment", row.status, "active", "suspended");
    const { source, credits } = await read(tx, row);
    const isOfSame = (other: Source | undefined) =>
      other?.issuer_id === source.issuer_id && other.enrollment_id === source.enrollment_id;
    const newer = row.credits.find(
      (known) => isOfSame(known.source) && (known.source?.issued_at ?? "") > source.issued_at,
    );
    if (newer?.source) {
      const { issued_at } = newer.source;
      throw conflict("pack_outdated", `There are credits of an evidence pack of ${issued_at}.`, { issued_at });
    }
    const all = [...row.credits.filter((known) => !isOfSame(known.source)), ...credits];
    if (all.length > mostCredits)
      throw conflict("limit_reached", `An enrollment has at most ${mostCredits} credits. Remove some first.`, {
        max: mostCredits,
      });
    return { credits: all };
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

/** @throws NOT_FOUND; FORBIDDEN the caller is the student; CONFLICT it is not active, or something is missing of the program */
export const completeEnrollment = changeVerb(enrollmentEntity, {
  permission,
  action: "completed",
  before: (context, ref: Ref) => requireOthers(context, ref),
  async set(tx, row) {
    requireStatus(row, "active");
    const on = await today(tx, tx.now);
    const { complete, missing } = await progressOn(tx, row.id, on);
    if (!complete) throw conflict("training_incomplete", `Missing of the program: ${missing.join(", ")}.`, { missing });
    return { status: "completed" as const, ended_on: toLegalDate(on) };
  },
});
