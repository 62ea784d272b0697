import { eq } from "drizzle-orm";
import { authorize } from "../../core/actor.ts";
import { conflict } from "../../core/errors.ts";
import type { AircraftId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { audit } from "../../storage/audit.ts";
import type { TenantContext } from "../../storage/context.ts";
import { announce } from "../../storage/occasions.ts";
import { keepWords } from "../../storage/search-words.ts";
import type { Tx } from "../../storage/store.ts";
import { announceChange } from "./announce-change.ts";
import { correctCounters, countersOf } from "./correct-counters.ts";
import { emitAlert } from "./emit-alert.ts";
import { countersCorrected } from "./fleet.occasions.ts";
import { type AircraftRow, aircraftWords, findAircraft, requireAircraft } from "./fleet.queries.ts";
import type { AircraftChange } from "./fleet.schemas.ts";
import type { Aircraft } from "./fleet.shapes.ts";
import { aircraft } from "./fleet.tables.ts";
import { openGroundings } from "./grounding/groundings.queries.ts";
import { priceOf, requireFreeRegistration, requireSameKind } from "./master-data.ts";

interface Input {
  aircraftId: AircraftId;
  change: AircraftChange;
}

/**
 * Changes the given fields of an aircraft, corrects its counters, archives it or undoes that.
 *
 * @throws NOT_FOUND the school has no such aircraft
 * @throws CONFLICT  it is archived and stays so, it is grounded, another aircraft has the registration, or it has flights and
 *   would become a simulator
 */
export async function updateAircraft(context: TenantContext, { aircraftId, change }: Input): Promise<JsonOf<Aircraft>> {
  authorize(context.actor, "aircraft:manage");
  const { counters, status, ...masterData } = change;
  const rate = masterData.hourly_rate_minor;
  const price = rate === undefined ? {} : await priceOf(context, rate);

  return context.tenant.write(async (tx) => {
    const row = await requireAircraft(tx, aircraftId);
    const nextStatus = await statusAfter(tx, row, status);
    if (masterData.registration !== undefined) await requireFreeRegistration(tx, masterData.registration, aircraftId);
    await requireSameKind(tx, row, masterData);

    const subject = { kind: "aircraft", id: aircraftId };
    const before = await findAircraft(tx, aircraftId);
    await tx
      .update(aircraft)
      .set({ ...masterData, ...price, ...(nextStatus && { status: nextStatus }), updated_at: tx.now })
      .where(eq(aircraft.id, aircraftId));
    await keepWords(tx, aircraftWords, [aircraftId]);
    if (counters) await correctCounters(tx, context, row, counters);
    const after = await findAircraft(tx, aircraftId);

    if (Object.keys(masterData).length > 0) await audit(tx, context, "aircraft.updated", { subject, before, after });
    if (counters) {
      await audit(tx, context, "aircraft.counters_corrected", {
        subject,
        before: countersOf(before.value),
        after: { ...countersOf(after.value), reason: counters.reason },
      });
    }
    const hasNewStatus = status !== undefined && status !== row.status;
    if (hasNewStatus) {
      const action = status === "archived" ? "aircraft.archived" : "aircraft.restored";
      await audit(tx, context, action, { subject, before, after });
    }
    await announceChange(tx, context, row, after.value);
    if (hasNewStatus && nextStatus === "grounded") await emitAlert(tx, aircraftId, { alert: "aircraft_grounded" });
    if (counters) await announce(tx, countersCorrected, { id: aircraftId, by: context });
    return findAircraft(tx, aircraftId);
  });
}

/**
 * Returns the status to set; undefined if none is wanted. An aircraft keeps its reasons to be grounded while it is archived.
 *
 * @throws CONFLICT it is archived and stays so, or it is grounded
 */
async function statusAfter(
  tx: Tx<"tenant">,
  { id, status }: AircraftRow,
  wanted: AircraftChange["status"],
): Promise<AircraftRow["status"] | undefined> {
  if (status === "archived" && wanted !== "available")
    throw conflict("aircraft_archived", 'The aircraft is archived. Undo that with the status "available".');
  if (status === "grounded" && wanted === "available")
    throw conflict("wrong_status", "The aircraft is grounded. It is available again when its groundings are lifted.", {
      status,
    });
  if (status !== "archived") return wanted;
  return (await openGroundings(tx, id)).length > 0 ? "grounded" : "available";
}
