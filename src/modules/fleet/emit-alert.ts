import type { AircraftId } from "../../core/ids.ts";
import { emit } from "../../events/emit.ts";
import { type MaintenanceAlert, maintenanceAlert } from "../../events/maintenance-alert.ts";
import type { Tx } from "../../storage/store.ts";
import { queueMails } from "../mails/queue-mails.ts";
import { requireAircraft } from "./fleet.queries.ts";

/** Emits `maintenance.alert` about an aircraft, as it is in the transaction, and queues the mails. @throws NOT_FOUND */
export async function emitAlert(
  tx: Tx<"tenant">,
  aircraftId: AircraftId,
  alert: Omit<MaintenanceAlert, "aircraft">,
): Promise<void> {
  const row = await requireAircraft(tx, aircraftId);
  const { id, registration, model, icao_type, class: type, status } = row;
  await emit(tx, maintenanceAlert, {
    ...alert,
    aircraft: { id, registration, model, icao_type, class: type, status },
  });
  const subject_id = (alert.item ?? alert.work_order)?.id ?? id;
  await queueMails(tx, { kind: "maintenance_alert", alert: alert.alert, subject_id });
}
