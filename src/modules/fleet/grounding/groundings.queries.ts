import { and, eq } from "drizzle-orm";
import type { AircraftId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { groundings, isOpenGrounding } from "../fleet.tables.ts";

export type GroundingRow = typeof groundings.$inferSelect;

/** Returns the reasons of an aircraft that are not lifted. */
export const openGroundings = (reader: Reader<"tenant">, aircraftId: AircraftId): Promise<GroundingRow[]> =>
  reader
    .select()
    .from(groundings)
    .where(and(eq(groundings.aircraft_id, aircraftId), isOpenGrounding));
