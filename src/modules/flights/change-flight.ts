import { eq } from "drizzle-orm";
import type { FlightId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { InOrganization } from "../../storage/context.ts";
import type { Tx } from "../../storage/store.ts";
import { insertCrew } from "./flight-columns.ts";
import type { CrewMember } from "./flight-rules.ts";
import { readFlight } from "./flights.queries.ts";
import type { Flight } from "./flights.shapes.ts";
import { flightCrew, flights } from "./flights.tables.ts";

interface FlightUpdate {
  action: `flight.${string}`;
  columns: Partial<typeof flights.$inferInsert>;
  /** The whole crew anew; left as it is when not given. */
  crew?: readonly CrewMember[];
}

/** Writes a change of a flight, and the audit row that shows it before and after. @returns the flight as it is now */
export async function changeFlight(
  tx: Tx<"tenant">,
  context: InOrganization,
  id: FlightId,
  { action, columns, crew }: FlightUpdate,
): Promise<Flight> {
  const before = await readFlight(tx, id);
  await tx
    .update(flights)
    .set({ ...columns, updated_at: tx.now })
    .where(eq(flights.id, id));
  if (crew !== undefined) {
    await tx.delete(flightCrew).where(eq(flightCrew.flight_id, id));
    await insertCrew(tx, id, crew);
  }
  const after = await readFlight(tx, id);
  await audit(tx, context, action, { subject: { kind: "flight", id }, before, after });
  return after;
}
