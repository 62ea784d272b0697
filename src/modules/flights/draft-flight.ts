import { authorize } from "../../core/actor.ts";
import { newId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import type { InOrganization } from "../../storage/context.ts";
import { addRow } from "../../storage/entity.ts";
import type { Tx } from "../../storage/store.ts";
import { withLandings } from "./crew-landings.ts";
import { insertCrew } from "./flight-content.ts";
import { flightEntity } from "./flights.queries.ts";
import type { FlightContent } from "./flights.schemas.ts";
import type { Flight } from "./flights.shapes.ts";
import { checkDraft } from "./submission.ts";

/**
 * Records a flight as a draft. Rejects impossible values. Missing values may follow until the flight is submitted.
 *
 * @throws FORBIDDEN, VALIDATION_ERROR; CONFLICT the aircraft or a crew member is archived
 */
export async function draftFlight(context: InOrganization, draft: FlightContent): Promise<JsonOf<Flight>> {
  authorize(context.actor, "flights:submit");
  return context.tenant.write((tx) => addDraft(tx, context, draft));
}

/** Posting: as `draftFlight`, without checking the actor. */
export async function addDraft(
  tx: Tx<"tenant">,
  context: InOrganization,
  draft: FlightContent,
): Promise<JsonOf<Flight>> {
  const { actor, clock } = context;
  const [checked] = await Promise.all([checkDraft(tx, draft), flightEntity.changeTime(tx)]);
  const { crew: _, ...columns } = draft;
  const id = newId<"flight">(clock);
  const stamps = { created_by: actor.userId, created_at: tx.now, updated_at: tx.now };
  return addRow(tx, context, flightEntity, {
    action: "flight.drafted",
    row: { id, status: "draft", revision: 1, ...columns, ...checked, ...stamps },
    also: () => insertCrew(tx, id, withLandings(draft)),
  });
}
