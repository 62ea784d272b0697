import { authorize } from "../../../core/actor.ts";
import { invalid } from "../../../core/errors.ts";
import { newId, type ProgramId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { programEntity } from "../programs/programs.queries.ts";
import { requireMayTrain, requireMayTrainIn } from "../programs/programs.verbs.ts";
import type { RevisionId } from "../training.tables.ts";
import { checkSyllabus, countedClasses } from "./check-syllabus.ts";
import { lastNumber, type Revision, revisionEntity } from "./revisions.queries.ts";
import type { Syllabus } from "./syllabus.schemas.ts";
import { writeLessons } from "./write-lessons.ts";

/**
 * Adds the next revision of a program, as a draft.
 *
 * @throws NOT_FOUND; CONFLICT the organization may not train this; VALIDATION_ERROR it is of another kind, or `checkSyllabus`
 */
export async function draftRevision(
  context: TenantContext,
  syllabus: Syllabus,
  { programId }: { programId: ProgramId },
): Promise<JsonOf<Revision>> {
  authorize(context.actor, "training:manage");
  await requireMayTrainIn(context, programId);
  checkSyllabus(syllabus);
  return context.tenant.write(async (tx) => {
    const { kind } = await programEntity.row(tx, { programId });
    if (kind !== syllabus.kind)
      throw invalid({ path: "kind", code: "impossible", message: `The program is of kind ${kind}.` });
    return insertRevision(tx, context, programId, syllabus);
  });
}

/** Adds a program with its first revision, as a draft. @throws VALIDATION_ERROR; CONFLICT the organization may not train this */
export async function importSyllabus(context: TenantContext, syllabus: Syllabus): Promise<JsonOf<Revision>> {
  authorize(context.actor, "training:manage");
  await requireMayTrain(context, syllabus.kind);
  checkSyllabus(syllabus);
  const { kind, name } = syllabus;
  return context.tenant.write(async (tx) => {
    const id = newId<"program">(context.clock);
    const stamps = { created_at: tx.now, updated_at: tx.now };
    await addRow(tx, context, programEntity, {
      action: "training_program.created",
      row: { id, kind, name, ...stamps },
    });
    return insertRevision(tx, context, id, syllabus);
  });
}

async function insertRevision(
  tx: Tx<"tenant">,
  context: TenantContext,
  program_id: ProgramId,
  { format: _, kind, name: __, lessons, ...fields }: Syllabus,
): Promise<JsonOf<Revision>> {
  const aircraft_classes = countedClasses(kind, fields.aircraft_classes);
  const id: RevisionId = newId(context.clock);
  const number = (await lastNumber(tx, program_id)) + 1;
  const stamps = { created_at: tx.now, updated_at: tx.now };
  return addRow(tx, context, revisionEntity, {
    action: "training_revision.drafted",
    row: { id, program_id, number, status: "draft" as const, ...fields, aircraft_classes, ...stamps },
    also: () => writeLessons(tx, id, lessons),
  });
}
