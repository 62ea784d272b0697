import { eq } from "drizzle-orm";
import type { FlightId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import type { InOrganization } from "../../storage/context.ts";
import { changeRow } from "../../storage/entity.ts";
import { announce } from "../../storage/occasions.ts";
import type { Tx } from "../../storage/store.ts";
import type { CrewWithLandings } from "./crew-landings.ts";
import { copyToCrew, insertCrew } from "./flight-content.ts";
import { flightMoved } from "./flights.occasions.ts";
import { flightEntity, shownTo } from "./flights.queries.ts";
import type { Flight } from "./flights.shapes.ts";
import { flightCrew, type flights } from "./flights.tables.ts";

interface FlightUpdate {
  action: `flight.${string}`;
  set: Partial<typeof flights.$inferInsert>;
  /** The flight, if it was read by `beforeChange`. */
  before?: JsonOf<Flight>;
  /** Of another status, if `flightMoved` was prepared. */
  announceMoved?: () => Promise<void>;
  /** Replaces the whole crew. Undefined keeps it. */
  crew?: readonly CrewWithLandings[];
}

/** Updates a flight and writes the audit row. @returns the flight after the change, as the actor sees it */
export async function changeFlight(
  tx: Tx<"tenant">,
  context: InOrganization,
  id: FlightId,
  { crew, announceMoved = () => announce(tx, flightMoved, { id }), ...change }: FlightUpdate,
): Promise<JsonOf<Flight>> {
  const changed = await changeRow(tx, context, flightEntity, {
    id,
    ...change,
    async also() {
      if (change.set.status !== undefined) await announceMoved();
      if (crew === undefined) return copyToCrew(tx, id);
      await tx.delete(flightCrew).where(eq(flightCrew.flight_id, id));
      return insertCrew(tx, id, crew);
    },
  });
  return shownTo(tx, context.actor, changed);
}
