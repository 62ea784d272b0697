import { sql } from "drizzle-orm";
import type { AircraftId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { maintenanceDue } from "./due.shapes.ts";

/** Returns JSON text: one element for each aircraft that is not archived, sorted by registration. */
export async function listDue(
  reader: Reader<"tenant">,
  { aircraft_id }: { aircraft_id?: AircraftId | undefined },
): Promise<string> {
  const isAsked = aircraft_id === undefined ? sql`` : sql`and ${aircraft.id} = ${aircraft_id}`;
  const rows = await reader.values<[string]>(sql`
    select ${maintenanceDue.json} from ${aircraft} where ${aircraft.status} <> 'archived' ${isAsked}
    order by ${aircraft.registration}`);
  return `{"data":[${rows.map(([text]) => text).join(",")}]}`;
}
