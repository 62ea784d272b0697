import { authorize } from "../../../core/actor.ts";
import { invalid, wrongStatus } from "../../../core/errors.ts";
import type { AircraftId, DefectId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { today } from "../../../storage/today.ts";
import { requireAircraft } from "../../fleet/fleet.queries.ts";
import { assessAircraft } from "../assessment/assess-aircraft.ts";
import { defectEntity } from "./defects.queries.ts";
import type { Deferral } from "./defects.schemas.ts";
import type { Defect } from "./defects.shapes.ts";

type Input = Deferral & { aircraftId: AircraftId; defectId: DefectId };

/**
 * Lets an aircraft fly with a defect up to a date or an airframe time, after which the defect grounds it. A deferred defect
 * may be deferred again.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR the date has passed; CONFLICT the defect is rectified
 */
export async function deferDefect(
  context: TenantContext,
  { reason, until, hours, ...ref }: Input,
): Promise<JsonOf<Defect>> {
  authorize(context.actor, "maintenance:manage");
  return context.tenant.write(async (tx) => {
    const { id, aircraft_id, status } = await defectEntity.row(tx, ref);
    if (status === "rectified") throw wrongStatus("defect", status);
    if (until !== undefined && Temporal.PlainDate.compare(until, await today(tx, tx.now)) < 0)
      throw invalid({ path: "until", code: "in_the_past", message: "Must not be before today." });
    const { airframe_minutes } = await requireAircraft(tx, aircraft_id);
    const minutes = hours === undefined ? null : Math.floor((hours * 60) / 100); // hours are in hundredths
    await changeRow(tx, context, defectEntity, {
      id,
      action: "defect.deferred",
      set: {
        status: "deferred",
        deferral_reason: reason,
        deferred_until: until ?? null,
        deferred_minutes: minutes,
        deferred_at: tx.now,
        deferred_until_airframe_minutes: minutes === null ? null : airframe_minutes + minutes,
        updated_at: tx.now,
      },
    });
    await assessAircraft(tx, context, aircraft_id);
    return defectEntity.read(tx, id);
  });
}
