import { authorize } from "../../../core/actor.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { wrongStatus } from "../../../core/errors.ts";
import type { WorkOrderId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { today } from "../../../storage/today.ts";
import { requireAircraft } from "../../fleet/fleet.queries.ts";
import { assessAircraft } from "../assessment/assess-aircraft.ts";
import { rectifyDefects } from "../defects/rectify-defects.ts";
import { recordDone } from "../items/record-done.ts";
import { entered, requireRecorded } from "../readings/entered.ts";
import { readingsOf } from "../readings/readings.ts";
import { certifier, checkRelease } from "./check-release.ts";
import { releaseColumns } from "./release-readings.ts";
import { coveredItems, workOrderEntity } from "./work-orders.queries.ts";
import type { Release } from "./work-orders.schemas.ts";
import type { WorkOrder } from "./work-orders.shapes.ts";

type Input = Release & { workOrderId: WorkOrderId };

/**
 * Releases the aircraft to service (ML.A.801). In the same transaction, the items that the work order covers are done on that
 * date and at the counters of that date, its defects are rectified, and what these grounded is lifted. An item that was
 * done later by another work order stays as it is.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR the date is in the future or before the aircraft's records, a reading does not fit, there is
 *   no such person, or the approval's number; CONFLICT it is not `in_progress`, nothing was done, a pilot-owner may not release it,
 *   or the person is archived
 */
export async function completeWorkOrder(
  context: TenantContext,
  { workOrderId, by, person_id, licence_number, approval, maintenance_data, on: stated, ...given }: Input,
): Promise<JsonOf<WorkOrder>> {
  authorize(context.actor, "maintenance:manage");
  return context.tenant.write(async (tx) => {
    const order = await workOrderEntity.row(tx, { workOrderId });
    const { aircraft_id, status } = order;
    if (status !== "in_progress") throw wrongStatus("work order", status, "in_progress");
    const aircraft = await requireAircraft(tx, aircraft_id);
    const items = await coveredItems(tx, workOrderId);
    checkRelease(approval, { order, aircraft, items });
    const signed = await certifier(tx, { by, person_id });
    const on = stated ?? toLegalDate(await today(tx, tx.now));
    const done = await entered(tx, aircraft, { on, given, now: tx.now, names: { on: "on", prefix: "" } });
    await requireRecorded(tx, aircraft, { done, path: "on" });

    await changeRow(tx, context, workOrderEntity, {
      id: workOrderId,
      action: "work_order.completed",
      set: {
        status: "done",
        completed_at: tx.now,
        release_by: signed.name,
        release_person_id: signed.person_id,
        release_licence_number: licence_number,
        release_approval: approval.kind,
        release_approval_reference: approval.reference,
        release_maintenance_data: maintenance_data,
        release_on: on,
        release_at: done.at,
        release_given: given,
        release_corrected: done.corrected,
        ...releaseColumns(await readingsOf(tx, aircraft, done)),
        updated_at: tx.now,
      },
    });
    for (const { id, last_done_on } of items) {
      const isNewer = last_done_on === null || last_done_on <= on;
      if (isNewer) await recordDone(tx, context, aircraft, { id, done, by: signed.name, note: null });
    }
    await rectifyDefects(tx, context, workOrderId);
    await assessAircraft(tx, context, aircraft_id);
    return workOrderEntity.read(tx, workOrderId);
  });
}
