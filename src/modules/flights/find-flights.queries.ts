/** Flights in the search: those of the aircraft with a registration, on a day, or both. */
import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { type MemberActor, permits } from "../../core/actor.ts";
import type { Instant } from "../../core/clock.ts";
import type { AircraftId } from "../../core/ids.ts";
import { isWholeIn, startsIn, wordsIn, wordsOf } from "../../core/words.ts";
import type { Match } from "../../storage/best-matches.ts";
import type { Finder, Search } from "../../storage/finder.ts";
import { nullAsEmpty, pageBody } from "../../storage/page.ts";
import { field, shape } from "../../storage/shape.ts";
import type { Reader } from "../../storage/store.ts";
import { startOf } from "../../storage/today.ts";
import { aircraft as aircraftShape } from "../fleet/fleet.shapes.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { daysIn } from "./days-in.ts";
import { newestFirst } from "./flights.queries.ts";
import { flight } from "./flights.shapes.ts";
import { flights } from "./flights.tables.ts";
import { ownFlights } from "./own-flights.queries.ts";

const { id, status, off_block_at, departure, arrival, crew } = flight.fields;
const { registration } = aircraftShape.fields;

const found = shape("FoundFlight", {
  kind: field(z.literal("flight"), sql`'flight'`),
  id,
  title: field(
    registration.schema.meta({ description: "The registration.", examples: ["D-EABC"] }),
    sql`(select ${registration.value} from ${aircraft} where ${aircraft.id} = ${flights.aircraft_id})`,
  ),
  status,
  off_block_at,
  departure,
  arrival,
  crew,
});

const value = sql.placeholder;
const offBlock = nullAsEmpty(flights.off_block_at);
const isThen = sql`${offBlock} >= ${value("from")} and ${offBlock} < ${value("to")}`;
const newest = sql`order by ${offBlock} desc, ${flights.id} desc`;
const few = sql`${newest} limit ${value("limit")}`;

const onDay = sql<[string]>`select ${found.json} from ${flights} where ${isThen} ${few}`;

/** Of one aircraft, by its index. */
const newestOf = sql`select ${flights.id} as id from ${flights}
  where ${flights.aircraft_id} = plane.value and ${isThen} ${newest}`;

/**
 * The aircraft that flew last have the newest flights: as many aircraft as flights are wanted. The newest of each of them, of these the
 * newest, and only of these the JSON.
 */
const ofAircraft = sql<[string]>`select ${found.json}
  from (
    select ${flights.id} as id
    from (
      select ${flights.aircraft_id} as value
      from json_each(${value("aircraft")}) as plane cross join ${flights} on ${flights.id} = (${newestOf} limit 1)
      ${few}
    ) as plane
      cross join json_each((select json_group_array(id) from (${newestOf} limit ${value("limit")}))) as one
      cross join ${flights} on ${flights.id} = one.value
    ${few}
  ) as page cross join ${flights} on ${flights.id} = page.id
  ${newest}`;

interface Asked {
  /** Of any aircraft if undefined. */
  aircraft_ids: readonly AircraftId[] | undefined;
  from: Instant | undefined;
  to: Instant | undefined;
  limit: number;
}

/** After each instant. */
const END = "~";

async function ofSchool(reader: Reader<"tenant">, { aircraft_ids, limit, ...asked }: Asked): Promise<string[]> {
  const { from = "", to = END }: { from?: string | undefined; to?: string | undefined } = asked;
  const rows =
    aircraft_ids === undefined
      ? await reader.rows(onDay, { from, to, limit })
      : await reader.rows(ofAircraft, { aircraft: JSON.stringify(aircraft_ids), from, to, limit });
  return rows.map(([json]) => json);
}

const Page = z.object({ data: z.array(z.unknown()) });

async function ofMember(reader: Reader<"tenant">, actor: MemberActor, { limit, ...filter }: Asked): Promise<string[]> {
  const source = await ownFlights(reader, actor, filter);
  const body = await pageBody(reader, found, { ...source, limit, orderBy: newestFirst });
  return Page.parse(JSON.parse(body.toString())).data.map((row) => JSON.stringify(row));
}

const registrations = sql`select json_group_array(json_array(${aircraft.id}, ${aircraft.registration})) from ${aircraft}`;

/** Of registrations: each search compares those of the whole fleet. */
const known = new LRUCache<string, string[]>({ max: 5000, memoMethod: (registration) => wordsOf(registration) });

/** A fleet is small: its registrations are read and compared. */
async function findAircraft(reader: Reader<"tenant">, words: readonly string[]) {
  const row = await reader.first(registrations, {});
  const all = JSON.parse(String(row?.[0])) as [AircraftId, string][];
  return all
    .map(([id, registration]) => ({ id, words: known.memo(registration) }))
    .filter((one) => startsIn(one.words, words));
}

async function find(reader: Reader<"tenant">, actor: MemberActor, { q, limit }: Search): Promise<Match[]> {
  const { days, rest } = daysIn(q);
  const words = wordsIn(rest);
  const [day, another] = days;
  if (another !== undefined) return [];
  const planes = words.length === 0 ? undefined : await findAircraft(reader, words);
  if (planes?.length === 0) return [];
  const date = day === undefined ? undefined : Temporal.PlainDate.from(day);
  const asked = {
    aircraft_ids: planes?.map(({ id }) => id),
    from: date && (await startOf(reader, date)),
    to: date && (await startOf(reader, date.add({ days: 1 }))),
    limit,
  };
  const rows = permits(actor, "flights:read") ? await ofSchool(reader, asked) : await ofMember(reader, actor, asked);
  // Without a day, the aircraft itself is the better match.
  const isWhole = day !== undefined && (planes?.every((plane) => isWholeIn(plane.words, words)) ?? true);
  return rows.map((json) => ({ json, isPast: false, isWhole }));
}

/** Members without `flights:read` find those that they drafted or flew. */
export const flightFinder: Finder = {
  permissions: ["flights:read", "flights:read_own"],
  found: found.schema,
  find: ({ actor, tenant }, search) => tenant.read((reader) => find(reader, actor, search)),
};
