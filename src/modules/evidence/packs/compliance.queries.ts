/** The state of an organization on a day, as its records have it. Its readers do not check an actor. */
import { and, eq, gte, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../core/clock.ts";
import type { AircraftId } from "../../../core/ids.ts";
import { ascending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { part } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { attachments } from "../../attachments/attachments.tables.ts";
import {
  complianceRequirements,
  complianceRecords as records,
  complianceTypes as types,
} from "../../compliance/compliance.tables.ts";
import type { Counted } from "../../compliance/evaluations/compare.ts";
import { standing, withOtherLevels } from "../../compliance/records/held.ts";
import { publicRecord, record } from "../../compliance/records/records.shapes.ts";
import { requirement } from "../../compliance/requirements/requirements.queries.ts";
import { aircraft as aircraftShape } from "../../fleet/fleet.shapes.ts";
import { aircraft, groundings } from "../../fleet/fleet.tables.ts";
import { item } from "../../maintenance/items/items.shapes.ts";
import { maintenanceItems } from "../../maintenance/maintenance.tables.ts";
import { person as personShape } from "../../people/people.shapes.ts";
import { people } from "../../people/people.tables.ts";
import { type AsOf, foundLater } from "./as-of.queries.ts";
import { listDigests } from "./attachments.queries.ts";

type TenantReader = Reader<"tenant">;

const successor = alias(records, "successor");
const supersededAt = sql`(select ${successor.created_at} from ${records} as ${successor}
  where ${successor.id} = ${records.superseded_by})`;

/** Records that were entered by then, and neither superseded nor withdrawn. */
const countsOn = ({ date, end }: AsOf): SQL | undefined =>
  and(
    lt(records.created_at, end),
    sql`${records.issued_on} <= ${date}`,
    or(
      eq(records.status, "current"),
      and(eq(records.status, "superseded"), sql`${supersededAt} >= ${end}`),
      and(eq(records.status, "withdrawn"), gte(records.updated_at, end)),
    ),
  );

/** Returns what the school requires now. */
export const requirementsNow = (reader: TenantReader) =>
  reader.select().from(complianceRequirements).orderBy(complianceRequirements.id);

/** Returns the records of people or of aircraft that counted on the day, by their subject, each once for each level that it covered. */
export async function countedOn(
  reader: TenantReader,
  subjects: "person_id" | "aircraft_id",
  ids: readonly string[],
  asOf: AsOf,
): Promise<ReadonlyMap<string, Counted[]>> {
  const { id, type, level, issued_on, valid_until, other_levels, created_at, updated_at, status } = records;
  const subject = sql<string>`${records[subjects]}`;
  const wasWithdrawn = sql`${status} = 'withdrawn' and ${updated_at} < ${asOf.end}`;
  const rows = await reader
    .select({
      ...{ subject, id, type, level, issued_on, valid_until, other_levels, entered_at: created_at },
      withdrawn_at: sql<Instant | null>`iif(${wasWithdrawn}, ${updated_at}, null)`,
      ...{ warning_days: types.warning_days, date_of_birth: people.date_of_birth },
    })
    .from(records)
    .innerJoin(types, eq(types.key, type))
    .leftJoin(people, eq(people.id, records.person_id))
    .where(and(inArray(subject, ids), or(countsOn(asOf), sql`${wasWithdrawn} and not ${records.entered_by_mistake}`)));
  const bySubject = Map.groupBy(rows, (row) => row.subject);
  return new Map(
    [...bySubject].map(([of, held]) => [of, withOtherLevels(standing(held), held[0]?.date_of_birth ?? null)]),
  );
}

const inOrder = (of: Parameters<typeof ascending>[0]) => ascending(of, "id");

const { id, name, types: functions, ratings, licence_number, licence_authority } = personShape.fields;
const person = part({ id, name, types: functions, ratings, licence_number, licence_authority });

/** People who were not archived at the end of the day. */
export const listPeopleOn = (reader: TenantReader, asOf: AsOf, page: PageRequest) =>
  pageBody(reader, person, {
    ...page,
    from: people,
    where: and(
      sql`coalesce(${foundLater(people, "person", asOf, "$.before.status")}, ${people.status}) = 'active'`,
      lt(people.created_at, asOf.end),
      isNull(people.erased_at),
    ),
    orderBy: inOrder(person),
  });

const { id: aircraftId, registration, model, icao_type, class: kind } = aircraftShape.fields;
const plane = part({ id: aircraftId, registration, model, icao_type, class: kind });

/** Aircraft that were not archived at the end of the day. */
export const listAircraftOn = (reader: TenantReader, asOf: AsOf, page: PageRequest) =>
  pageBody(reader, plane, {
    ...page,
    from: aircraft,
    where: and(
      sql`coalesce(${foundLater(aircraft, "aircraft", asOf, "$.before.status")}, ${aircraft.status}) <> 'archived'`,
      lt(aircraft.created_at, asOf.end),
    ),
    orderBy: inOrder(plane),
  });

/** Returns the reasons for which aircraft were grounded at the end of the day, by aircraft. */
export async function groundingsOn(reader: TenantReader, ids: readonly AircraftId[], { end }: AsOf) {
  const { kind, note, since, aircraft_id, lifted_at } = groundings;
  const rows = await reader
    .select({ aircraft_id, grounding: { kind, note, since } })
    .from(groundings)
    .where(and(inArray(aircraft_id, [...ids]), lt(since, end), or(isNull(lifted_at), gte(lifted_at, end))))
    .orderBy(groundings.id);
  return Map.groupBy(rows, (row) => row.aircraft_id);
}

const { status: _, superseded_by: __, ...ofRecord } = publicRecord.fields;
const held = part({ ...ofRecord, number: record.fields.number, issued_by: record.fields.issued_by });

export const listRecordsOn = (reader: TenantReader, asOf: AsOf, page: PageRequest) =>
  pageBody(reader, held, { ...page, from: records, where: countsOn(asOf), orderBy: inOrder(held) });

export const listRequirements = (reader: TenantReader, _: AsOf, page: PageRequest) =>
  pageBody(reader, requirement, { ...page, from: complianceRequirements, orderBy: inOrder(requirement) });

/** Files of records that counted on the day, and of work orders and defects. */
export const listFilesOn = (reader: TenantReader, asOf: AsOf, page: PageRequest) => {
  const { record_id, created_at } = attachments;
  const counted = sql`exists (select 1 from ${records} where ${records.id} = ${record_id} and ${countsOn(asOf)})`;
  return listDigests(reader, and(lt(created_at, asOf.end), or(isNull(record_id), counted)), page);
};

/** Maintenance items as they are now. */
export const listItems = (reader: TenantReader, _: AsOf, page: PageRequest) =>
  pageBody(reader, item, { ...page, from: maintenanceItems, orderBy: inOrder(item) });
