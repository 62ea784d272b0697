import { authorize } from "../../../core/actor.ts";
import { wrongStatus } from "../../../core/errors.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { emit } from "../../../events/emit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { complianceUpdated, recordData } from "../compliance.events.ts";
import type { RecordId } from "../compliance.tables.ts";
import { reevaluateOne } from "../evaluations/evaluate.ts";
import { subjectOf } from "../evaluations/evaluations.queries.ts";
import { authorizeManaging } from "./add-record.ts";
import { recordEntity, requireRecord } from "./records.queries.ts";
import type { Withdrawal } from "./records.schemas.ts";
import type { ComplianceRecord } from "./records.shapes.ts";
import { giveBack } from "./supersede.ts";

/**
 * Withdraws a current record that does not count any more: it was suspended, revoked or entered by mistake. In the last case, what
 * it had superseded counts again.
 *
 * @throws NOT_FOUND; FORBIDDEN; CONFLICT it is not current
 */
export async function withdrawRecord(
  context: InOrganization,
  { recordId, reason, entered_by_mistake = false }: { recordId: RecordId } & Withdrawal,
): Promise<JsonOf<ComplianceRecord>> {
  const { actor, tenant } = context;
  authorize(actor, "compliance:manage", "compliance:manage_aircraft");
  return tenant.write(async (tx) => {
    const row = await requireRecord(tx, recordId, actor);
    authorizeManaging(actor, row);
    if (row.status !== "current") throw wrongStatus("record", row.status, "current");
    const withdrawn = await changeRow(tx, context, recordEntity, {
      id: recordId,
      action: "compliance_record.withdrawn",
      set: {
        status: "withdrawn",
        withdrawal_reason: reason,
        entered_by_mistake,
        next_notice_on: null,
        updated_at: tx.now,
      },
    });
    if (entered_by_mistake) await giveBack(tx, context, row);
    await reevaluateOne(tx, context, subjectOf(row));
    await emit(tx, complianceUpdated, recordData.of(recordId));
    return withdrawn;
  });
}
