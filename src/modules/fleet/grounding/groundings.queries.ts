import { getTableColumns, sql } from "drizzle-orm";
import type { AircraftId } from "../../../core/ids.ts";
import { lookUpAll } from "../../../storage/lookup.ts";
import type { Reader } from "../../../storage/store.ts";
import { groundings, isOpenGrounding } from "../fleet.tables.ts";

export type GroundingRow = typeof groundings.$inferSelect;

/** Returns the reasons of an aircraft that are not lifted. */
export const openGroundings = (reader: Reader<"tenant">, aircraftId: AircraftId): Promise<GroundingRow[]> =>
  open(reader, { id: aircraftId });

const open = lookUpAll(
  getTableColumns(groundings),
  sql`from ${groundings} where ${groundings.aircraft_id} = ${sql.placeholder("id")} and ${isOpenGrounding}`,
);
