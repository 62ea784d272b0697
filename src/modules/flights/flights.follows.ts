import { and, eq, sql } from "drizzle-orm";
import { touchRows } from "../../storage/changes.ts";
import { answer, type Follower, on } from "../../storage/occasions.ts";
import { aircraftRenamed, hasFlights } from "../fleet/fleet.occasions.ts";
import { personRenamed } from "../people/people.occasions.ts";
import { flightEntity } from "./flights.queries.ts";
import { flightCrew, flights, isPublic } from "./flights.tables.ts";

const firstOfAircraft = sql`select 1 from ${flights} where ${flights.aircraft_id} = ${sql.placeholder("id")} limit 1`;

const isWith = (id: string) =>
  sql`${flights.id} in (select ${flightCrew.flight_id} from ${flightCrew} where ${flightCrew.person_id} = ${id})`;

/** Public flights show the aircraft and the names of the crew. */
export const flightsFollows: readonly Follower[] = [
  on(personRenamed, (tx, { id }) => touchRows(tx, flightEntity, and(isWith(id), isPublic))),
  on(aircraftRenamed, (tx, { id }) => touchRows(tx, flightEntity, and(eq(flights.aircraft_id, id), isPublic))),
  answer(hasFlights, async (reader, { id }) => (await reader.first(firstOfAircraft, { id })) !== undefined),
];
