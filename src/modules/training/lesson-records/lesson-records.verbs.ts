import { eq } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import type { LessonRecordId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { voided } from "../recording.ts";
import { acknowledge, changeSignoff } from "../signoffs/signoffs.verbs.ts";
import { trainingSignoffs as signoffs, type trainingLessonRecords } from "../training.tables.ts";
import { findLessonRecord, lessonRecordEntity } from "./lesson-records.queries.ts";
import type { LessonRecord } from "./lesson-records.shapes.ts";

type Row = typeof trainingLessonRecords.$inferSelect;
type Ref = { lessonRecordId: LessonRecordId };

/** The student has read it: its grades are acknowledged with it. @throws as `acknowledgeSignoff` */
export const acknowledgeLesson = (context: InOrganization, ref: Ref): Promise<JsonOf<LessonRecord>> => {
  authorize(context.actor, "training:read_own");
  return change(context, ref, "acknowledged", {
    set: (tx, row) => acknowledge(tx, context.actor, row, "lesson record"),
    async also(tx, row) {
      for (const signoff of await gradesOf(tx, row))
        if (signoff.status === "recorded" && signoff.acknowledged_at === null)
          await changeSignoff(tx, context, signoff.id, "acknowledged", { acknowledged_at: tx.now });
    },
  });
};

/** It no longer counts, and neither do its grades. @throws NOT_FOUND; FORBIDDEN, CONFLICT `voided` */
export const voidLesson = (
  context: InOrganization,
  { reason, ...ref }: Ref & { reason: string },
): Promise<JsonOf<LessonRecord>> => {
  authorize(context.actor, "training:record");
  return change(context, ref, "voided", {
    set: (tx, row) => voided(tx, context.actor, row, reason),
    async also(tx, row) {
      for (const signoff of await gradesOf(tx, row))
        if (signoff.status === "recorded")
          await changeSignoff(tx, context, signoff.id, "voided", await voided(tx, context.actor, signoff, reason));
    },
  });
};

const gradesOf = (tx: Tx<"tenant">, { id }: Row) =>
  tx.select().from(signoffs).where(eq(signoffs.lesson_record_id, id)).orderBy(signoffs.id);

interface Change {
  set: (tx: Tx<"tenant">, row: Row) => Promise<Partial<Row>>;
  also: (tx: Tx<"tenant">, row: Row) => Promise<void>;
}

/** Returns the record as the actor reads it: the student without the notes among instructors. */
const change = (
  context: InOrganization,
  ref: Ref,
  action: string,
  { set, also }: Change,
): Promise<JsonOf<LessonRecord>> =>
  context.tenant.write(async (tx) => {
    const row = await lessonRecordEntity.row(tx, ref);
    await changeRow(tx, context, lessonRecordEntity, {
      id: row.id,
      action: `lesson_record.${action}`,
      set: { ...(await set(tx, row)), updated_at: tx.now },
      also: () => also(tx, row),
    });
    return findLessonRecord(tx, row.id, context.actor);
  });
