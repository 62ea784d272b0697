import { authorize } from "../../core/actor.ts";
import { newId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { InOrganization } from "../../storage/context.ts";
import { insertRow } from "../../storage/insert-row.ts";
import { blank, changed, checkContent, insertCrew } from "./flight-columns.ts";
import { readFlight } from "./flights.queries.ts";
import type { FlightDraft } from "./flights.schemas.ts";
import type { Flight } from "./flights.shapes.ts";
import { flights } from "./flights.tables.ts";

/**
 * Notes a flight as a draft. Only what can't be true is refused; what is missing may follow until it is submitted.
 *
 * @throws FORBIDDEN, VALIDATION_ERROR; CONFLICT the aircraft is archived
 */
export async function draftFlight(context: InOrganization, draft: FlightDraft): Promise<Flight> {
  const { actor, tenant, clock } = context;
  authorize(actor, "flights:submit");
  return tenant.write(async (tx) => {
    const { crew, ...columns } = changed(blank(draft.aircraft_id), draft);
    await checkContent(tx, { crew, ...columns });

    const id = newId<"flight">(clock);
    const stamps = { createdBy: actor.userId, createdAt: tx.now, updatedAt: tx.now };
    await insertRow(tx, flights, { id, status: "draft", revision: 1, warnings: [], ...columns, ...stamps });
    await insertCrew(tx, id, crew);
    const flight = await readFlight(tx, id);
    await audit(tx, context, "flight.drafted", { subject: { kind: "flight", id }, after: flight });
    return flight;
  });
}
