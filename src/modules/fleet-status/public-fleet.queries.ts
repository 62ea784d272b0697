import { sql } from "drizzle-orm";
import type { Reader } from "../../storage/store.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { publicAircraft } from "./public-fleet.shapes.ts";

/** Returns JSON text: one element for each aircraft that is not archived, sorted by registration. */
export async function listPublicFleet(reader: Reader<"tenant">): Promise<string> {
  const rows = await reader.values<[string]>(sql`
    select ${publicAircraft.json} from ${aircraft} where ${aircraft.status} <> 'archived'
    order by ${aircraft.registration}`);
  return `{"data":[${rows.map(([text]) => text).join(",")}]}`;
}
