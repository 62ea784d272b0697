import { eq } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { conflict, wrongStatus } from "../../../core/errors.ts";
import type { ProgramId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { changeVerb, removeVerb } from "../../../storage/verbs.ts";
import { programEntity } from "../programs/programs.queries.ts";
import { requireMayTrainIn } from "../programs/programs.verbs.ts";
import { type RevisionId, trainingItems, trainingLessons } from "../training.tables.ts";
import { checkSyllabus, countedClasses } from "./check-syllabus.ts";
import { lessonsOf, type Revision, type RevisionRow, revisionEntity } from "./revisions.queries.ts";
import type { Syllabus, SyllabusChange } from "./syllabus.schemas.ts";
import { writeLessons } from "./write-lessons.ts";

const permission = "training:manage";

type Input = { programId: ProgramId; revisionId: RevisionId; change: SyllabusChange };

/** @throws NOT_FOUND; VALIDATION_ERROR `checkSyllabus`; CONFLICT it is retired, a student is or was enrolled in it, or it is published and would lack lessons or items */
export async function changeRevision(
  context: TenantContext,
  { change: { lessons, ...change }, ...ref }: Input,
): Promise<JsonOf<Revision>> {
  authorize(context.actor, permission);
  return context.tenant.write(async (tx) => {
    const row = await revisionEntity.row(tx, ref);
    requireChangeable(row);
    const next = lessons ?? (await lessonsOf(tx, row.id));
    checkSyllabus({ ...row, ...change, lessons: next });
    const { kind } = await programEntity.row(tx, ref);
    const classes = countedClasses(
      kind,
      "aircraft_classes" in change ? (change.aircraft_classes ?? null) : row.aircraft_classes,
    );
    if (row.status === "published") requireItems(next);
    return changeRow(tx, context, revisionEntity, {
      id: row.id,
      action: "training_revision.updated",
      set: { ...change, aircraft_classes: classes, revision: row.revision + 1, updated_at: tx.now },
      also: async () => lessons && writeLessons(tx, row.id, lessons),
    });
  });
}

function requireChangeable({ status, frozen_at }: RevisionRow): void {
  if (status === "retired") throw wrongStatus("revision", status);
  if (frozen_at !== null)
    throw conflict("revision_frozen", "A student is or was enrolled in the revision. Add a new revision instead.");
}

/** A student would be done at once with what has no items. @throws CONFLICT */
function requireItems(lessons: Syllabus["lessons"]): void {
  if (lessons.length === 0) throw conflict("revision_empty", "The revision has no lessons.", { lessons: [] });
  const empty = lessons.filter(({ items }) => items.length === 0).map(({ code }) => code);
  if (empty.length > 0)
    throw conflict("revision_empty", `Lessons without items: ${empty.join(", ")}.`, { lessons: empty });
}

/** @throws NOT_FOUND; CONFLICT the organization may not train this; it is not a draft, or lacks lessons or items */
export const publishRevision = changeVerb(revisionEntity, {
  permission,
  action: "published",
  before: (context, { programId }: { programId: ProgramId }) => requireMayTrainIn(context, programId),
  async set(tx, { id, status }) {
    if (status !== "draft") throw wrongStatus("revision", status, "draft");
    requireItems(await lessonsOf(tx, id));
    return { status: "published" as const, published_at: tx.now };
  },
});

/** Students who are enrolled in it go on; nobody else can be enrolled. @throws NOT_FOUND; CONFLICT it is not published */
export const retireRevision = changeVerb(revisionEntity, {
  permission,
  action: "retired",
  async set(tx, { status }) {
    if (status !== "published") throw wrongStatus("revision", status, "published");
    return { status: "retired" as const, retired_at: tx.now };
  },
});

/** @throws NOT_FOUND; CONFLICT it is not a draft */
export const removeRevision = removeVerb(revisionEntity, {
  permission,
  async also(tx, { id, status }) {
    if (status !== "draft") throw wrongStatus("revision", status, "draft");
    await tx.delete(trainingItems).where(eq(trainingItems.revision_id, id));
    await tx.delete(trainingLessons).where(eq(trainingLessons.revision_id, id));
  },
});
