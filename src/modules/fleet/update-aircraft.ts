import { eq } from "drizzle-orm";
import { authorize } from "../../core/actor.ts";
import { conflict } from "../../core/errors.ts";
import type { AircraftId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { audit } from "../../storage/audit.ts";
import type { TenantContext } from "../../storage/context.ts";
import { announce } from "../../storage/occasions.ts";
import type { Tx } from "../../storage/store.ts";
import { announceChange } from "./announce-change.ts";
import { eachCounter } from "./counters.queries.ts";
import { emitAlert } from "./emit-alert.ts";
import { countersCorrected } from "./fleet.occasions.ts";
import { type AircraftRow, findAircraft, requireAircraft } from "./fleet.queries.ts";
import type { AircraftChange, Correction } from "./fleet.schemas.ts";
import type { Aircraft } from "./fleet.shapes.ts";
import { aircraft, counterCorrections } from "./fleet.tables.ts";
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
    if (row.status === "archived" && status !== "available")
      throw conflict("aircraft_archived", 'The aircraft is archived. Undo that with the status "available".');
    if (row.status === "grounded" && status === "available")
      throw conflict("wrong_status", "The aircraft is grounded. It is available again when its groundings are lifted.");
    if (masterData.registration !== undefined) await requireFreeRegistration(tx, masterData.registration, aircraftId);
    await requireSameKind(tx, row, masterData);

    const restored = row.status === "archived" ? await statusByGroundings(tx, aircraftId) : "available";
    const nextStatus = status === "available" ? restored : status;

    const subject = { kind: "aircraft", id: aircraftId };
    const before = await findAircraft(tx, aircraftId);
    await tx
      .update(aircraft)
      .set({ ...masterData, ...price, ...(nextStatus && { status: nextStatus }), updated_at: tx.now })
      .where(eq(aircraft.id, aircraftId));
    if (counters) await correct(tx, row, counters);
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

/** An aircraft keeps its reasons while it is archived. */
async function statusByGroundings(tx: Tx<"tenant">, aircraftId: AircraftId): Promise<"grounded" | "available"> {
  return (await openGroundings(tx, aircraftId)).length > 0 ? "grounded" : "available";
}

/** Sets counters to the readings. What that adds is recorded, so that opening values, postings and corrections add up. */
async function correct(tx: Tx<"tenant">, row: AircraftRow, readings: Correction): Promise<void> {
  const { reason: _, ...given } = readings;
  const counters = { ...countersOf(row), ...given };
  await tx.update(aircraft).set(counters).where(eq(aircraft.id, row.id));
  const added = eachCounter((name) => counters[name] - row[name]);
  await tx.insert(counterCorrections).values({ aircraft_id: row.id, ...added, corrected_at: tx.now });
}

const countersOf = <Reading>({ hobbs, tacho, airframe_minutes, landings }: Readings<Reading>) => ({
  hobbs,
  tacho,
  airframe_minutes,
  landings,
});

interface Readings<Reading> {
  hobbs: Reading;
  tacho: Reading;
  airframe_minutes: number;
  landings: number;
}
