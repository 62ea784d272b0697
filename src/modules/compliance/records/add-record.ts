import { type Actor, authorize } from "../../../core/actor.ts";
import { conflict, wrongStatus } from "../../../core/errors.ts";
import { newId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { emit } from "../../../events/emit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { complianceUpdated, recordData } from "../compliance.events.ts";
import type { RecordId } from "../compliance.tables.ts";
import { reevaluateOne } from "../evaluations/evaluate.ts";
import { subjectOf } from "../evaluations/evaluations.queries.ts";
import { firstNoticeOn } from "./expiry-notices.ts";
import { checkRecord } from "./record-rules.ts";
import { type RecordRow, recordEntity } from "./records.queries.ts";
import type { NewRecord } from "./records.schemas.ts";
import type { ComplianceRecord } from "./records.shapes.ts";
import { recordsLike, supersede } from "./supersede.ts";

/**
 * Adds a record. It supersedes the current record of the same type and level, unless one of these was issued later: then the
 * new one is superseded at once, for example when old papers are entered.
 *
 * @throws FORBIDDEN; VALIDATION_ERROR see `checkRecord`; CONFLICT the record to replace is not current
 */
export async function addRecord(
  context: InOrganization,
  { supersedes, ...input }: NewRecord,
): Promise<JsonOf<ComplianceRecord>> {
  const { actor, tenant, clock } = context;
  authorizeManaging(actor, input);
  return tenant.write(async (tx) => {
    await checkRecord(tx, input);
    const replaced = supersedes === null ? undefined : await requireCurrent(tx, supersedes, input);
    const alike = (await recordsLike(tx, input)).filter((row) => row.id !== replaced?.id);
    const later = alike.find((row) => row.issued_on > input.issued_on);
    const id = newId<"record">(clock);
    const next_notice_on = later ? null : await firstNoticeOn(tx, input, await today(tx, tx.now));
    const stamps = { created_by: actor.userId, created_at: tx.now, updated_at: tx.now };
    const added = await addRow(tx, context, recordEntity, {
      action: "compliance_record.added",
      row: {
        ...input,
        id,
        status: later ? "superseded" : "current",
        superseded_by: later?.id ?? null,
        next_notice_on,
        ...stamps,
      },
    });
    await emit(tx, complianceUpdated, recordData.of(id));
    const earlier = later ? [] : alike.filter((row) => row.status === "current");
    for (const row of [...(replaced ? [replaced] : []), ...earlier]) await supersede(tx, context, row.id, id);
    await reevaluateOne(tx, context, subjectOf(input));
    return added;
  });
}

/** Records of aircraft have a permission of their own. @throws FORBIDDEN */
export function authorizeManaging(actor: Actor, { aircraft_id }: Pick<RecordRow, "aircraft_id">): void {
  if (aircraft_id === null) authorize(actor, "compliance:manage");
  else authorize(actor, "compliance:manage", "compliance:manage_aircraft");
}

type Subject = Pick<NewRecord, "person_id" | "aircraft_id">;

/** @throws NOT_FOUND no such record of the subject; CONFLICT it is not current */
async function requireCurrent(tx: Tx<"tenant">, recordId: RecordId, input: Subject): Promise<RecordRow> {
  const row = await recordEntity.row(tx, { recordId });
  const fields = (["person_id", "aircraft_id"] as const).filter((name) => row[name] !== input[name]);
  if (fields.length > 0)
    throw conflict("other_subject", "The record to replace is of another person or aircraft.", { fields });
  if (row.status !== "current") throw wrongStatus("record to replace", row.status, "current");
  return row;
}
