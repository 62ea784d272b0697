import { authorize } from "../../../core/actor.ts";
import { conflict } from "../../../core/errors.ts";
import type { ProgramId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { changeVerb } from "../../../storage/verbs.ts";
import type { RevisionId } from "../training.tables.ts";
import { checkSyllabus } from "./check-syllabus.ts";
import { isInUse, lessonsOf, type Revision, type RevisionRow, revisionEntity } from "./revisions.queries.ts";
import type { SyllabusChange } from "./syllabus.schemas.ts";
import { writeLessons } from "./write-lessons.ts";

const permission = "training:manage";

type Input = { programId: ProgramId; revisionId: RevisionId; change: SyllabusChange };

/** @throws NOT_FOUND; VALIDATION_ERROR `checkSyllabus`; CONFLICT it is retired, or a student is or was enrolled in it */
export async function changeRevision(
  context: TenantContext,
  { change: { lessons, ...change }, ...ref }: Input,
): Promise<JsonOf<Revision>> {
  authorize(context.actor, permission);
  return context.tenant.write(async (tx) => {
    const row = await revisionEntity.row(tx, ref);
    await requireChangeable(tx, row);
    checkSyllabus({ ...row, ...change, lessons: lessons ?? (await lessonsOf(tx, row.id)) });
    return changeRow(tx, context, revisionEntity, {
      id: row.id,
      action: "training_revision.updated",
      set: { ...change, updated_at: tx.now },
      also: async () => lessons && writeLessons(tx, row.id, lessons),
    });
  });
}

async function requireChangeable(tx: Tx<"tenant">, { id, status }: RevisionRow): Promise<void> {
  if (status === "retired") throw conflict("wrong_status", "The revision is retired.");
  if (await isInUse(tx, id))
    throw conflict("revision_frozen", "A student is or was enrolled in the revision. Add a new revision instead.");
}

/** @throws NOT_FOUND; CONFLICT it is not a draft, or has no lessons */
export const publishRevision = changeVerb(revisionEntity, {
  permission,
  action: "published",
  async set(tx, { status }) {
    if (status !== "draft") throw conflict("wrong_status", `The revision is ${status}, not draft.`);
    return { status: "published" as const, published_at: tx.now };
  },
});

/** Students who are enrolled in it go on; nobody else can be enrolled. @throws NOT_FOUND; CONFLICT it is not published */
export const retireRevision = changeVerb(revisionEntity, {
  permission,
  action: "retired",
  async set(tx, { status }) {
    if (status !== "published") throw conflict("wrong_status", `The revision is ${status}, not published.`);
    return { status: "retired" as const, retired_at: tx.now };
  },
});
