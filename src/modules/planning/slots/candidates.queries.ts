import { and, asc, eq, ne } from "drizzle-orm";
import type { Reader } from "../../../storage/store.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import type { SlotQuery } from "./slots.schemas.ts";

export type Plane = Pick<typeof aircraft.$inferSelect, "id" | "registration">;

/** A search looks at so many aircraft at most. */
const most = 20;

/** Returns the aircraft that a search may offer: those that are named or of the type, and not archived. */
export const planesFor = (
  reader: Reader<"tenant">,
  { aircraft_id, icao_type }: Pick<SlotQuery, "aircraft_id" | "icao_type">,
): Promise<Plane[]> =>
  reader
    .select({ id: aircraft.id, registration: aircraft.registration })
    .from(aircraft)
    .where(
      and(
        ne(aircraft.status, "archived"),
        aircraft_id && eq(aircraft.id, aircraft_id),
        icao_type === undefined ? undefined : eq(aircraft.icao_type, icao_type),
      ),
    )
    .orderBy(asc(aircraft.registration))
    .limit(most);
