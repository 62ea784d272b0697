import { authorize } from "../../../core/actor.ts";
import { wrongStatus } from "../../../core/errors.ts";
import type { AircraftId, DefectId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { ground } from "../../fleet/grounding/ground.ts";
import { defectEntity } from "./defects.queries.ts";
import type { Defect } from "./defects.shapes.ts";

/**
 * Grounds the aircraft for a defect that was reported as one to fly with, or deferred, and turns out to be worse. As for a
 * defect that grounded it at once, the release or a deferral lifts that.
 *
 * @throws NOT_FOUND; CONFLICT the defect is rectified
 */
export async function groundForDefect(
  context: TenantContext,
  ref: { aircraftId: AircraftId; defectId: DefectId },
): Promise<JsonOf<Defect>> {
  authorize(context.actor, "maintenance:manage");
  return context.tenant.write(async (tx) => {
    const { id, aircraft_id, status, description } = await defectEntity.row(tx, ref);
    if (status === "rectified") throw wrongStatus("defect", status, "open", "deferred");
    await changeRow(tx, context, defectEntity, {
      id,
      action: "defect.grounded",
      set: {
        status: "open",
        grounding: true,
        deferral_reason: null,
        deferred_until: null,
        deferred_minutes: null,
        deferred_at: null,
        deferred_until_airframe_minutes: null,
        changes_on: null,
        updated_at: tx.now,
      },
    });
    const note = `Defect: ${description}`;
    await ground(tx, context, { aircraft_id, kind: "defect", subject_id: id, note });
    return defectEntity.read(tx, id);
  });
}
