/** The state of an organization on a day, as its records have it. Its readers do not check an actor. */
import { and, gte, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { AircraftId } from "../../../core/ids.ts";
import { ascending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { fieldsOf, part } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { attachments } from "../../attachments/attachments.tables.ts";
import { complianceRequirements, complianceRecords as records } from "../../compliance/compliance.tables.ts";
import { publicRecord, record } from "../../compliance/records/records.shapes.ts";
import { type AsOf, stands } from "../../compliance/records/standing.queries.ts";
import { requirement } from "../../compliance/requirements/requirements.queries.ts";
import { aircraft as aircraftShape } from "../../fleet/fleet.shapes.ts";
import { aircraft, groundings } from "../../fleet/fleet.tables.ts";
import { item } from "../../maintenance/items/items.shapes.ts";
import { maintenanceItems } from "../../maintenance/maintenance.tables.ts";
import { person as personShape } from "../../people/people.shapes.ts";
import { people } from "../../people/people.tables.ts";
import { foundLater } from "./as-of.queries.ts";
import { listDigests } from "./attachments.queries.ts";

type TenantReader = Reader<"tenant">;

/** Returns what the school requires now. */
export const requirementsNow = (reader: TenantReader) =>
  reader.select().from(complianceRequirements).orderBy(complianceRequirements.id);

const inOrder = (shape: Parameters<typeof ascending>[0]) => ascending(shape, "id");

const person = part(fieldsOf(personShape, "id", "name", "types", "ratings", "licence_number", "licence_authority"));

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

const plane = part(fieldsOf(aircraftShape, "id", "registration", "model", "icao_type", "class"));

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
const held = part({ ...ofRecord, ...fieldsOf(record, "number", "issued_by") });

/** @param withdrawn see `withdrawnOnes` */
export const listRecordsOn = (withdrawn: string) => (reader: TenantReader, asOf: AsOf, page: PageRequest) =>
  pageBody(reader, held, { ...page, from: records, where: stands(asOf, withdrawn), orderBy: inOrder(held) });

export const listRequirements = (reader: TenantReader, _: AsOf, page: PageRequest) =>
  pageBody(reader, requirement, { ...page, from: complianceRequirements, orderBy: inOrder(requirement) });

/** Files of records that counted on the day, and of work orders and defects. @param withdrawn see `withdrawnOnes` */
export const listFilesOn = (withdrawn: string) => (reader: TenantReader, asOf: AsOf, page: PageRequest) => {
  const { record_id, created_at } = attachments;
  const counted = sql`exists (select 1 from ${records} where ${records.id} = ${record_id} and ${stands(asOf, withdrawn)})`;
  return listDigests(reader, and(lt(created_at, asOf.end), or(isNull(record_id), counted)), page);
};

/** Maintenance items as they are now. */
export const listItems = (reader: TenantReader, _: AsOf, page: PageRequest) =>
  pageBody(reader, item, { ...page, from: maintenanceItems, orderBy: inOrder(item) });
