import { and, eq, ne } from "drizzle-orm";
import { conflict } from "../../core/errors.ts";
import type { AircraftId } from "../../core/ids.ts";
import type { Tx } from "../../storage/store.ts";
import { aircraft } from "./fleet.tables.ts";

/** @throws CONFLICT an aircraft other than `id` has the registration */
export async function refuseTakenRegistration(tx: Tx<"tenant">, registration: string, id: AircraftId): Promise<void> {
  const [other] = await tx
    .select({ id: aircraft.id })
    .from(aircraft)
    .where(and(eq(aircraft.registration, registration), ne(aircraft.id, id)));
  if (other !== undefined) throw conflict("registration_taken", "There is already an aircraft with this registration.");
}
