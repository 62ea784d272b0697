import { authorize } from "../../../core/actor.ts";
import { cutText } from "../../../core/cut-text.ts";
import { conflict, invalid, Problem } from "../../../core/errors.ts";
import { type AircraftId, type DefectId, newIdAt } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { requireAircraft } from "../../fleet/fleet.queries.ts";
import { ground } from "../../fleet/grounding/ground.ts";
import { requireFlight } from "../../flights/flights.queries.ts";
import { openWorkOrder } from "../work-orders/open-work-order.ts";
import { defectEntity } from "./defects.queries.ts";
import type { NewDefect } from "./defects.schemas.ts";
import type { Defect } from "./defects.shapes.ts";

/**
 * Records a defect of an aircraft and opens a work order for it. A grounding defect grounds the aircraft until the work
 * order is completed, or the defect is deferred.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR the actor knows no such flight of the aircraft; CONFLICT the aircraft is archived
 */
export async function reportDefect(
  context: InOrganization,
  input: NewDefect,
  { aircraftId }: { aircraftId: AircraftId },
): Promise<JsonOf<Defect>> {
  authorize(context.actor, "defects:report");
  return context.tenant.write(async (tx) => {
    const aircraft = await requireAircraft(tx, aircraftId);
    if (aircraft.status === "archived") throw conflict("aircraft_archived", "The aircraft is archived.");
    await checkFlight(tx, context, aircraftId, input);
    const work_order_id = await openWorkOrder(tx, context, { aircraft_id: aircraftId, title: titleOf(input) });
    const id: DefectId = newIdAt(tx.now);
    const stamps = { reported_by: context.actor.userId, created_at: tx.now, updated_at: tx.now };
    await addRow(tx, context, defectEntity, {
      action: "defect.reported",
      row: { id, aircraft_id: aircraftId, ...input, status: "open" as const, work_order_id, ...stamps },
    });
    if (input.grounding)
      await ground(tx, context, {
        aircraft_id: aircraftId,
        kind: "defect",
        subject_id: id,
        note: `Defect: ${input.description}`,
      });
    return defectEntity.read(tx, id);
  });
}

/** The first line, cut after a word to the length of a title. */
const titleOf = ({ description }: NewDefect): string => {
  const [first = ""] = description.split("\n", 1);
  const line = first.replace(/\s+/g, " ");
  return `Defect: ${line.length > 100 ? `${cutText(line, 100).replace(/ \S*$/, "")}…` : line}`;
};

async function checkFlight(
  tx: Tx<"tenant">,
  { actor }: InOrganization,
  aircraftId: AircraftId,
  { flight_id }: NewDefect,
): Promise<void> {
  if (flight_id === null) return;
  const unknown = invalid({ path: "flight_id", code: "unknown", message: "There is no such flight of the aircraft." });
  const flight = await requireFlight(tx, flight_id, actor).catch((error: unknown) => {
    throw error instanceof Problem && error.code === "NOT_FOUND" ? unknown : error;
  });
  if (flight.aircraft_id !== aircraftId) throw unknown;
}
