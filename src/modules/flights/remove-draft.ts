import { conflict, wrongStatus } from "../../core/errors.ts";
import type { FlightId } from "../../core/ids.ts";
import type { By } from "../../storage/context.ts";
import { removeRow } from "../../storage/entity.ts";
import { announce, ask } from "../../storage/occasions.ts";
import type { Tx } from "../../storage/store.ts";
import { draftRemoved, isOnRecord } from "./flights.occasions.ts";
import { flightEntity } from "./flights.queries.ts";

/**
 * Posting: removes a flight that was never submitted. The audit log keeps what it said.
 *
 * @throws CONFLICT it is no draft any more, or a defect or a signoff names it
 */
export async function removeDraft(tx: Tx<"tenant">, by: By, id: FlightId): Promise<void> {
  const { status } = await flightEntity.row(tx, { flightId: id });
  if (status !== "draft") throw wrongStatus("flight", status, "draft");
  if ((await ask(tx, isOnRecord, { id })).some(Boolean))
    throw conflict("flight_on_record", "A defect or a signoff names the flight, so it took place.");
  await removeRow(tx, by, flightEntity, {
    id,
    action: "flight.draft_removed",
    also: () => announce(tx, draftRemoved, { id }),
  });
}
