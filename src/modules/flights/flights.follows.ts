import { sql } from "drizzle-orm";
import { touching } from "../../storage/changes.ts";
import { answer, type Follower, on } from "../../storage/occasions.ts";
import { aircraftRenamed, hasFlights } from "../fleet/fleet.occasions.ts";
import { personRenamed } from "../people/people.occasions.ts";
import { flightEntity } from "./flights.queries.ts";
import { flightCrew, flights, isPublic } from "./flights.tables.ts";

const id = sql.placeholder("id");
const firstOfAircraft = sql`select 1 from ${flights} where ${flights.aircraft_id} = ${id} limit 1`;

const touchFlightsWith = touching(
  flightEntity,
  sql`${flights.id} in (select ${flightCrew.flight_id} from ${flightCrew} where ${flightCrew.person_id} = ${id}) and ${isPublic}`,
);
const touchFlightsOf = touching(flightEntity, sql`${flights.aircraft_id} = ${id} and ${isPublic}`);

/** Public flights show the aircraft and the names of the crew. */
export const flightsFollows: readonly Follower[] = [
  on(personRenamed, (tx, { id }) => touchFlightsWith(tx, { id })),
  on(aircraftRenamed, (tx, { id }) => touchFlightsOf(tx, { id })),
  answer(hasFlights, async (reader, { id }) => (await reader.first(firstOfAircraft, { id })) !== undefined),
];
