import { and, eq, type SQL, sql } from "drizzle-orm";
import type { AircraftId } from "../../core/ids.ts";
import { ascending, type Marked, nullAsEmpty, pageBy } from "../../storage/page.ts";
import type { Tenant } from "../../storage/store.ts";
import { requireAircraft } from "../fleet/fleet.queries.ts";
import { flights } from "../flights/flights.tables.ts";
import { type JourneyEntry, journey, journeyColumns } from "./journey.shapes.ts";
import type { Ledger } from "./ledger.ts";
import type { JourneySum, LogPeriod } from "./logbooks.schemas.ts";
import { END, periodOf, START, startOf, summing } from "./totals.ts";

const at = nullAsEmpty(flights.off_block_at);

type Filter = LogPeriod & { aircraft_id: AircraftId };

export const listJourney = pageBy(journey, {
  from: flights,
  where: ({ aircraft_id, from, to }: Marked<Filter>): SQL | undefined =>
    and(
      eq(flights.aircraft_id, aircraft_id),
      sql`${flights.status} = 'approved'`,
      from && sql`${at} >= ${from}`,
      to && sql`${at} < ${to}`,
    ),
  orderBy: ascending(journey, "off_block_at", "flight_id"),
});

const sumOfFlights = summing(journeyColumns, {
  from: sql`${flights}`,
  where: sql`${flights.aircraft_id} = ${sql.placeholder("subject")} and ${flights.status} = 'approved'`,
  at,
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
  rows: (reader, page) => listJourney(reader, { ...page, aircraft_id, from, to }),
  start: startOf({ from }),
  async before(place) {
    const aircraft = await tenant.read((reader) => requireAircraft(reader, aircraft_id));
    const { totals } = await sumOfFlights(tenant, aircraft_id, [START, place]);
    const { totals: later } = await sumOfFlights(tenant, aircraft_id, [place, END]);
    return {
      ...totals,
      airframe_minutes: aircraft.airframe_minutes - later.airframe_minutes,
      airframe_landings: aircraft.landings - later.airframe_landings,
    };
  },
  complete: (row, { airframe_minutes }) => ({ ...row, airframe_total_minutes: airframe_minutes }),
});

/** Returns how many rows the log has in a period. */
export const countJourney = async (tenant: Pick<Tenant, "read">, id: AircraftId, period: LogPeriod): Promise<number> =>
  (await sumOfFlights(tenant, id, periodOf(period))).count;
