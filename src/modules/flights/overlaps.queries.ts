/** Flights at the same time: an aircraft and a person are in one at a time, in half-open intervals from off-block to on-block. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { type Instant, minutes, shift } from "../../core/clock.ts";
import type { FlightId, PersonId } from "../../core/ids.ts";
import { idOf, instantOut } from "../../http/fields.ts";
import { nullAsEmpty } from "../../storage/page.ts";
import type { Reader } from "../../storage/store.ts";
import type { CrewMember } from "../rules/crew.values.ts";
import { longestBlockMinutes } from "./flight-rules.ts";
import type { FlightContent } from "./flights.schemas.ts";
import { flightCrew, flights, isLogged } from "./flights.tables.ts";

type Flown = Pick<FlightContent, "aircraft_id" | "off_block_at" | "on_block_at"> & {
  crew: readonly CrewMember[];
  /** Of a flight that is stored: it does not overlap itself. */
  id?: FlightId;
};

/** A flight at the same time that counts or is to be approved. */
export interface Overlap {
  id: FlightId;
  off_block_at: Instant;
  on_block_at: Instant;
  /** The crew member who is in both; null: the aircraft is. */
  person_id: PersonId | null;
}

/** Returns the flight of the aircraft, or else the first of a crew member, that overlaps. One without both times overlaps none. */
export async function overlapOf(reader: Reader<"tenant">, flight: Flown): Promise<Overlap | undefined> {
  const { id = "", aircraft_id, crew, off_block_at, on_block_at } = flight;
  if (off_block_at === null || on_block_at === null) return undefined;
  const people = JSON.stringify(crew.map(({ person_id }) => person_id));
  // No flight that began earlier is in the air: this bounds the search.
  const since = shift(off_block_at, -minutes(longestBlockMinutes + 1));
  const row = await reader.first(statement, { id, aircraft_id, people, off_block_at, on_block_at, since });
  if (row === undefined) return undefined;
  const [other, begins, ends, person_id] = Row.parse(row);
  return { id: other, off_block_at: begins, on_block_at: ends, person_id };
}

const Row = z.tuple([idOf<"flight">(), instantOut, instantOut, idOf<"person">().nullable()]);

const value = sql.placeholder;
const offBlockAt = nullAsEmpty(flights.off_block_at);
const columns = sql`${flights.id} as id, ${flights.off_block_at} as off_block_at, ${flights.on_block_at} as on_block_at`;
const begins = sql`${offBlockAt} > ${value("since")} and ${offBlockAt} < ${value("on_block_at")}`;
const overlaps = sql`${flights.on_block_at} > ${value("off_block_at")} and ${flights.id} <> ${value("id")}`;

/** People are found in their logbooks, and in the flights to be approved, which are few: no index has both. */
const statement = sql`
  select id, off_block_at, on_block_at, person_id from (
    select ${columns}, null as person_id from ${flights}
    where ${flights.aircraft_id} = ${value("aircraft_id")} and ${flights.status} in ('submitted', 'approved')
      and ${begins} and ${overlaps}
    union all
    select ${columns}, ${flightCrew.person_id} from json_each(${value("people")}) as named
    cross join ${flightCrew} on ${flightCrew.person_id} = named.value and ${isLogged}
      and ${flightCrew.logged_at} > ${value("since")} and ${flightCrew.logged_at} < ${value("on_block_at")}
    cross join ${flights} on ${flights.id} = ${flightCrew.flight_id}
    where ${overlaps}
    union all
    select ${columns}, ${flightCrew.person_id} from ${flights}
    cross join ${flightCrew} on ${flightCrew.flight_id} = ${flights.id}
    where ${flights.status} = 'submitted' and ${begins} and ${overlaps}
      and ${flightCrew.person_id} in (select value from json_each(${value("people")})))
  order by person_id is not null, off_block_at, id limit 1`;
