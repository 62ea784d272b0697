/** The state of an organization on a day, as its records have it. Its readers do not check an actor. */
import { and, eq, gte, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../core/clock.ts";
import type { LegalDate } from "../../../core/dates.ts";
import type { AircraftId } from "../../../core/ids.ts";
import { ascending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { field, json, part } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import {
  complianceRequirements,
  complianceRecords as records,
  complianceTypes as types,
} from "../../compliance/compliance.tables.ts";
import { compare } from "../../compliance/evaluations/compare.ts";
import { isOf, requirementsFor, type SubjectRef } from "../../compliance/evaluations/evaluations.queries.ts";
import { publicRecord, record } from "../../compliance/records/records.shapes.ts";
import { requirement } from "../../compliance/requirements/requirements.queries.ts";
import { aircraft as aircraftShape } from "../../fleet/fleet.shapes.ts";
import { aircraft, groundings } from "../../fleet/fleet.tables.ts";
import { defect } from "../../maintenance/defects/defects.shapes.ts";
import { item } from "../../maintenance/items/items.shapes.ts";
import { defects, maintenanceItems, workOrders } from "../../maintenance/maintenance.tables.ts";
import { publicWorkOrder } from "../../maintenance/work-orders/work-orders.shapes.ts";
import { person as personShape } from "../../people/people.shapes.ts";
import { people } from "../../people/people.tables.ts";

type TenantReader = Reader<"tenant">;

/** A day where the organization is, and the moment at which it ends. */
export interface AsOf {
  date: LegalDate;
  end: Instant;
}

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

/** Returns whether a person or an aircraft had the records that the school requires now, and which not. */
export async function complianceOn(
  reader: TenantReader,
  subject: SubjectRef,
  roles: Parameters<typeof requirementsFor>[1],
  asOf: AsOf,
) {
  const counted = await reader
    .select({
      ...{ id: records.id, type: records.type, level: records.level },
      ...{ valid_until: records.valid_until, warning_days: types.warning_days },
    })
    .from(records)
    .innerJoin(types, eq(types.key, records.type))
    .where(and(isOf(records, subject), countsOn(asOf)));
  const required = await requirementsFor(reader, roles);
  const { status, reasons } = compare(required, counted, Temporal.PlainDate.from(asOf.date));
  return { status, reasons };
}

const inOrder = (of: Parameters<typeof ascending>[0]) => ascending(of, "id");

const { id, name, types: functions, ratings, licence_number, licence_authority } = personShape.fields;
const person = part({ id, name, types: functions, ratings, licence_number, licence_authority });

/** People who are not archived now. */
export const listPeopleOn = (reader: TenantReader, { end }: AsOf, page: PageRequest) =>
  pageBody(reader, person, {
    ...page,
    from: people,
    where: and(sql`+${people.status} = 'active'`, lt(people.created_at, end)),
    orderBy: inOrder(person),
  });

const { id: aircraftId, registration, model, icao_type, class: kind } = aircraftShape.fields;
const plane = part({ id: aircraftId, registration, model, icao_type, class: kind });

/** Aircraft that are not archived now. */
export const listAircraftOn = (reader: TenantReader, { end }: AsOf, page: PageRequest) =>
  pageBody(reader, plane, {
    ...page,
    from: aircraft,
    where: and(ne(sql`+${aircraft.status}`, "archived"), lt(aircraft.created_at, end)),
    orderBy: inOrder(plane),
  });

/** Returns the reasons for which an aircraft was grounded at the end of the day. */
export const groundingsOn = (reader: TenantReader, aircraft_id: AircraftId, { end }: AsOf) =>
  reader
    .select({ kind: groundings.kind, note: groundings.note, since: groundings.since })
    .from(groundings)
    .where(
      and(
        eq(groundings.aircraft_id, aircraft_id),
        lt(groundings.since, end),
        or(isNull(groundings.lifted_at), gte(groundings.lifted_at, end)),
      ),
    )
    .orderBy(groundings.id);

const { status: _, superseded_by: __, ...ofRecord } = publicRecord.fields;
const held = part({ ...ofRecord, number: record.fields.number, issued_by: record.fields.issued_by });

export const listRecordsOn = (reader: TenantReader, asOf: AsOf, page: PageRequest) =>
  pageBody(reader, held, { ...page, from: records, where: countsOn(asOf), orderBy: inOrder(held) });

export const listRequirements = (reader: TenantReader, _: AsOf, page: PageRequest) =>
  pageBody(reader, requirement, { ...page, from: complianceRequirements, orderBy: inOrder(requirement) });

const { description, grounding, created_at, deferral_reason, deferred_until } = defect.fields;
const found = part({
  ...{ id: defect.fields.id, aircraft_id: defect.fields.aircraft_id, description, grounding, created_at },
  ...{ deferral_reason, deferred_until },
});

/** Defects that were not rectified at the end of the day. */
export const listDefectsOn = (reader: TenantReader, { end }: AsOf, page: PageRequest) =>
  pageBody(reader, found, {
    ...page,
    from: defects,
    where: and(lt(defects.created_at, end), or(isNull(defects.rectified_at), gte(defects.rectified_at, end))),
    orderBy: inOrder(found),
  });

const { status: ___, updated_at: ____, release, completed_at, ...ofOrder } = publicWorkOrder.fields;

/** Work orders that were not done, and those released in the year before. What happened later is left out. */
export function listWorkOrdersOn(reader: TenantReader, { date, end }: AsOf, page: PageRequest) {
  const isDone = sql`${workOrders.completed_at} < ${end}`;
  const order = part({
    ...ofOrder,
    completed_at: field(completed_at.schema, sql`iif(${isDone}, ${workOrders.completed_at}, null)`),
    release: field(release.schema, json(sql`iif(${isDone}, ${release.value}, null)`)),
  });
  const yearBefore = Temporal.PlainDate.from(date).subtract({ years: 1 }).toString();
  return pageBody(reader, order, {
    ...page,
    from: workOrders,
    where: and(
      lt(workOrders.created_at, end),
      or(
        isNull(workOrders.completed_at),
        gte(workOrders.completed_at, end),
        gte(workOrders.completed_at, sql`${yearBefore}`),
      ),
    ),
    orderBy: inOrder(order),
  });
}

/** Maintenance items as they are now. */
export const listItems = (reader: TenantReader, _: AsOf, page: PageRequest) =>
  pageBody(reader, item, { ...page, from: maintenanceItems, orderBy: inOrder(item) });
