import { sql } from "drizzle-orm";
import type { AircraftId } from "../../core/ids.ts";
import type { Ledger } from "../../storage/ledger.ts";
import { nullAsEmpty } from "../../storage/page.ts";
import type { Tenant } from "../../storage/store.ts";
import { END, START, startOf } from "../../storage/totals.ts";
import { requireAircraft } from "../fleet/fleet.queries.ts";
import { flights } from "../flights/flights.tables.ts";
import { type JourneyEntry, journey, journeyColumns } from "./journey.shapes.ts";
import { logReads } from "./log-reads.ts";
import type { JourneySum, LogPeriod } from "./logbooks.schemas.ts";

export const journeyReads = logReads(journey, journeyColumns, {
  from: sql`${flights}`,
  isOf: (aircraftId) => sql`${flights.aircraft_id} = ${aircraftId} and ${flights.status} = 'approved'`,
  at: nullAsEmpty(flights.off_block_at),
  id: flights.id,
});

/**
 * An aircraft's journey log. The totals of the airframe are counted back from the present readings, which include all
 * flights, imported ones too.
 */
export const journeyLogOf = (
  tenant: Pick<Tenant, "read">,
  aircraft_id: AircraftId,
  { from, to }: LogPeriod,
): Ledger<JourneySum, JourneyEntry> => ({
  rows: (reader, page) => journeyReads.rows(reader, { ...page, subject: aircraft_id, from, to }),
  count: () => journeyReads.count(tenant, aircraft_id, { from, to }),
  start: startOf({ from }),
  async before(place) {
    const aircraft = await tenant.read((reader) => requireAircraft(reader, aircraft_id));
    const { totals } = await journeyReads.sum(tenant, aircraft_id, [START, place]);
    const { totals: later } = await journeyReads.sum(tenant, aircraft_id, [place, END]);
    return {
      ...totals,
      airframe_minutes: aircraft.airframe_minutes - later.airframe_minutes,
      airframe_landings: aircraft.landings - later.airframe_landings,
    };
  },
  complete: (row, { airframe_minutes }) => ({ ...row, airframe_total_minutes: airframe_minutes }),
});
