import { and, eq, sql } from "drizzle-orm";
import { touchRows } from "../../storage/changes.ts";
import type { Dependents } from "../../storage/dependents.ts";
import { flightEntity } from "./flights.queries.ts";
import { flightCrew, flights, isPublic } from "./flights.tables.ts";

/** Public flights show the aircraft and the names of the crew. */
export const flightsDependents: Dependents = {
  person: (tx, id) =>
    touchRows(
      tx,
      flightEntity,
      and(
        sql`${flights.id} in (select ${flightCrew.flight_id} from ${flightCrew} where ${flightCrew.person_id} = ${id})`,
        isPublic,
      ),
    ),
  aircraft: (tx, id) => touchRows(tx, flightEntity, and(eq(flights.aircraft_id, id), isPublic)),
};
