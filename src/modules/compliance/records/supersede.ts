/** A record supersedes others, and gives them back if it was entered by mistake. Postings: they run inside the transaction of a verb. */
import { and, desc, eq, isNull } from "drizzle-orm";
import { emit } from "../../../events/emit.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { complianceUpdated, recordData } from "../compliance.events.ts";
import { type RecordId, complianceRecords as table } from "../compliance.tables.ts";
import { isOf, subjectOf } from "../evaluations/evaluations.queries.ts";
import { noticeAgainOn } from "./expiry-notices.ts";
import { type RecordRow, recordEntity } from "./records.queries.ts";

type TenantTx = Tx<"tenant">;

export async function supersede(tx: TenantTx, by: By, id: RecordId, superseded_by: RecordId): Promise<void> {
  await changeRow(tx, by, recordEntity, {
    id,
    action: "compliance_record.superseded",
    set: { status: "superseded", superseded_by, next_notice_on: null, updated_at: tx.now },
  });
  await emit(tx, complianceUpdated, recordData.of(id));
}

/** Returns the records of the same subject, type and level but those that were entered by mistake, the newest first. */
export async function recordsLike(
  tx: TenantTx,
  record: Pick<RecordRow, "person_id" | "aircraft_id" | "type" | "level">,
): Promise<RecordRow[]> {
  const isSameLevel = record.level === null ? isNull(table.level) : eq(table.level, record.level);
  return tx
    .select()
    .from(table)
    .where(
      and(
        isOf(table, subjectOf(record)),
        eq(table.type, record.type),
        isSameLevel,
        eq(table.entered_by_mistake, false),
      ),
    )
    .orderBy(desc(table.issued_on), desc(table.created_at));
}

/** Of the records that one had superseded which was entered by mistake, the newest of each type and level is current again. */
export async function giveBack(tx: TenantTx, by: By, mistaken: RecordRow): Promise<void> {
  const freed = await tx.select().from(table).where(eq(table.superseded_by, mistaken.id));
  for (const [first] of Map.groupBy(freed, ({ type, level }) => `${type} ${level}`).values()) {
    if (first === undefined) continue;
    const isFreed = ({ superseded_by }: RecordRow) => superseded_by === mistaken.id;
    const alike = await recordsLike(tx, first);
    const [newest, ...older] = alike.filter((row) => row.superseded_by === null || isFreed(row));
    if (newest === undefined) continue;
    if (isFreed(newest)) await restore(tx, by, newest, mistaken);
    for (const row of older) if (isFreed(row) || row.status === "current") await supersede(tx, by, row.id, newest.id);
  }
}

async function restore(tx: TenantTx, by: By, row: RecordRow, mistaken: RecordRow): Promise<void> {
  const superseded_on = row.created_at <= mistaken.created_at ? await today(tx, mistaken.created_at) : null;
  const next_notice_on = await noticeAgainOn(tx, row, { superseded_on, date: await today(tx, tx.now) });
  await changeRow(tx, by, recordEntity, {
    id: row.id,
    action: "compliance_record.restored",
    set: { status: "current", superseded_by: null, next_notice_on, updated_at: tx.now },
  });
  await emit(tx, complianceUpdated, recordData.of(row.id));
}
