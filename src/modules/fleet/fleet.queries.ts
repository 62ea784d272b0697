import { getTableColumns, sql } from "drizzle-orm";
import { conflict, invalid, notFound } from "../../core/errors.ts";
import type { AircraftId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { entityOf } from "../../storage/entity-of.ts";
import { lookUp, lookUpAll } from "../../storage/lookup.ts";
import { ascending, descending, listOf, reversed } from "../../storage/page.ts";
import { searchable } from "../../storage/search-words.ts";
import type { Reader } from "../../storage/store.ts";
import { type Aircraft, aircraft as shape } from "./fleet.shapes.ts";
import { aircraft } from "./fleet.tables.ts";

type TenantReader = Reader<"tenant">;

/** A row of `aircraft`. Hobbs and tacho are in hundredths of an hour. */
export type AircraftRow = typeof aircraft.$inferSelect;

export async function findAircraftRow(reader: TenantReader, id: AircraftId): Promise<AircraftRow | undefined> {
  return aircraftRow(reader, { id });
}

const aircraftRow = lookUp(
  getTableColumns(aircraft),
  sql`from ${aircraft} where ${aircraft.id} = ${sql.placeholder("id")}`,
);

/** Returns the aircraft that are not archived, sorted by registration. */
export const aircraftInUse = lookUpAll(
  { id: aircraft.id, registration: aircraft.registration, status: aircraft.status },
  sql`from ${aircraft} where ${aircraft.status} <> 'archived' order by ${aircraft.registration}`,
);

/** Also an archived aircraft keeps its registration. */
export async function findByRegistration(reader: TenantReader, registration: string): Promise<AircraftRow | undefined> {
  return aircraftRowByRegistration(reader, { registration });
}

const aircraftRowByRegistration = lookUp(
  getTableColumns(aircraft),
  sql`from ${aircraft} where ${aircraft.registration} = ${sql.placeholder("registration")}`,
);

/** @throws NOT_FOUND */
export async function requireAircraft(reader: TenantReader, id: AircraftId): Promise<AircraftRow> {
  const row = await findAircraftRow(reader, id);
  if (row === undefined) throw notFound();
  return row;
}

/** Returns the aircraft that an input names. @throws VALIDATION_ERROR no such aircraft; CONFLICT it is archived */
export const requireUsable = async (reader: TenantReader, id: AircraftId): Promise<AircraftRow> =>
  usable(await findAircraftRow(reader, id));

/** As `requireUsable`, of a row that was read. */
export function usable(row: AircraftRow | undefined): AircraftRow {
  if (row === undefined) throw invalid({ path: "aircraft_id", code: "unknown", message: "There is no such aircraft." });
  if (row.status === "archived") throw conflict("aircraft_archived", "The aircraft is archived.");
  return row;
}

/** Returns the aircraft as the API shows it. @throws NOT_FOUND */
export const findAircraft = (reader: TenantReader, id: AircraftId): Promise<JsonOf<Aircraft>> =>
  aircraftEntity.read(reader, id);

export const aircraftWords = searchable({
  list: "aircraft",
  from: aircraft,
  id: aircraft.id,
  texts: [aircraft.registration, aircraft.model, aircraft.icao_type],
  past: sql`${aircraft.status} = 'archived'`,
});

export const aircraftEntity = entityOf("aircraft", {
  table: aircraft,
  shape,
  path: { aircraftId: aircraft.id },
  words: aircraftWords,
});

const byRegistration = ascending(shape, "registration");

/** Returns JSON text, sorted by registration or as the query says. SQLite sorts the few aircraft of a school. */
export const listAircraft = listOf(shape, {
  from: aircraft,
  orderBy: byRegistration,
  orders: {
    registration: byRegistration,
    "-registration": reversed(byRegistration),
    model: ascending(shape, "model", "id"),
    "-airframe_minutes": descending(shape, "airframe_minutes", "id"),
  },
});
