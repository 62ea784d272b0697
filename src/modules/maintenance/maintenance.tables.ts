/** Tenant database: what must be done to aircraft, and when. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type { DefectId, FlightId, MaintenanceItemId, PersonId, UserId, WorkOrderId } from "../../core/ids.ts";
import { stamps } from "../../storage/stamps.ts";
import type { Counters } from "../fleet/counters.queries.ts";
import { ofAircraft } from "../fleet/fleet.tables.ts";
import { people } from "../people/people.tables.ts";
import type { GivenReadings } from "./readings/readings.ts";

/** The counter of an aircraft that an item's hours are measured against. */
export const hoursCounters = ["airframe", "hobbs", "tacho"] as const;
/** From worst to best. */
export const itemStatuses = ["overdue", "upcoming", "ok"] as const;

/** What corrections had added to each counter when it was read: later ones move the reading at which an item is due. */
const corrected = () =>
  text({ mode: "json" }).$type<Counters>().notNull().default({ hobbs: 0, tacho: 0, airframe_minutes: 0, landings: 0 });

/**
 * A task that is repeated after hours, months or landings, whichever is first. Hours are whole hundredths, airframe time
 * is in minutes.
 */
export const maintenanceItems = sqliteTable(
  "maintenance_items",
  {
    id: text().$type<MaintenanceItemId>().primaryKey(),
    aircraft_id: ofAircraft(),
    name: text().notNull(),
    notes: text(),
    /** Whether it grounds the aircraft once it is past its tolerance. */
    critical: integer({ mode: "boolean" }).notNull(),
    hours_counter: text({ enum: hoursCounters }).notNull(),
    interval_hours: integer(),
    interval_months: integer(),
    interval_landings: integer(),
    tolerance_hours: integer().notNull(),
    tolerance_months: integer().notNull(),
    tolerance_days: integer().notNull(),
    tolerance_landings: integer().notNull(),
    /** How long before it is due it counts as upcoming. */
    upcoming_hours: integer().notNull(),
    upcoming_days: integer().notNull(),
    upcoming_landings: integer().notNull(),
    /** Null: not known. A limit that counts from an unknown value is overdue. */
    last_done_on: text().$type<LegalDate>(),
    last_done_hobbs: integer(),
    last_done_tacho: integer(),
    last_done_airframe_minutes: integer(),
    last_done_landings: integer(),
    last_done_by: text(),
    last_done_note: text(),
    /** Flights that ended by then come before it. Null: it is not known, or an older version stored only the day. */
    last_done_at: text().$type<Instant>(),
    /** What somebody read then. The other readings above follow from the flights (`readings/readings.ts`). */
    last_done_given: text({ mode: "json" }).$type<GivenReadings>().notNull().default({}),
    last_done_corrected: corrected(),
    /** From here on: the assessment by the aircraft's counters and by the date (`assessment/assess.ts`). */
    status: text({ enum: itemStatuses }).notNull(),
    past_tolerance: integer({ mode: "boolean" }).notNull(),
    due_on: text().$type<LegalDate>(),
    due_hours: integer(),
    due_landings: integer(),
    remaining_hours: integer(),
    remaining_landings: integer(),
    forecast_on: text().$type<LegalDate>(),
    /** The next date on which `status` or `past_tolerance` changes, or the forecast has passed, if nobody flies or works on the aircraft. */
    changes_on: text().$type<LegalDate>(),
    ...stamps,
  },
  (table) => [
    index("maintenance_items_name").on(table.name, table.id),
    index("maintenance_items_aircraft").on(table.aircraft_id, table.name, table.id),
    index("maintenance_items_changes_on").on(table.changes_on).where(sql`changes_on is not null`),
  ],
);

export const workOrderStatuses = ["open", "in_progress", "done"] as const;

/** Under what an aircraft is released to service (ML.A.801): an approved organization, or the right of one person. */
export const approvalKinds = ["cao", "part_145", "independent", "pilot_owner"] as const;

/** A part that was fitted. */
export interface Part {
  name: string;
  part_number: string | null;
  serial_number: string | null;
  batch_number: string | null;
  /** A decimal string with two places. */
  quantity: string;
}

export const workOrders = sqliteTable(
  "work_orders",
  {
    id: text().$type<WorkOrderId>().primaryKey(),
    /** By the year in which it was opened: `2026-017`. */
    number: text().notNull().unique(),
    aircraft_id: ofAircraft(),
    title: text().notNull(),
    status: text({ enum: workOrderStatuses }).notNull(),
    findings: text(),
    parts: text({ mode: "json" }).$type<Part[]>().notNull(),
    /** The sum of the hours, where there are some. */
    worked_minutes: integer().notNull(),
    notes: text(),
    opened_by: text().$type<UserId>(),
    started_at: text().$type<Instant>(),
    completed_at: text().$type<Instant>(),
    /** The release to service, with the counters of the aircraft on that day. Null until it is done. */
    release_by: text(),
    /** The person of the school who certified it. Null: somebody else. */
    release_person_id: text()
      .$type<PersonId>()
      .references(() => people.id),
    release_licence_number: text(),
    /** Null with a release of an older version, and so are the maintenance data. */
    release_approval: text({ enum: approvalKinds }),
    release_approval_reference: text(),
    release_maintenance_data: text(),
    release_on: text().$type<LegalDate>(),
    release_hobbs: integer(),
    release_tacho: integer(),
    release_airframe_minutes: integer(),
    release_landings: integer(),
    /** What the mechanic read. The other readings above follow from the flights (`readings/readings.ts`). */
    release_given: text({ mode: "json" }).$type<GivenReadings>().notNull().default({}),
    /** As of an item. */
    release_at: text().$type<Instant>(),
    release_corrected: corrected(),
    ...stamps,
  },
  (table) => [
    index("work_orders_status").on(table.status, table.id),
    index("work_orders_aircraft").on(table.aircraft_id, table.id),
    index("work_orders_aircraft_status").on(table.aircraft_id, table.status, table.id),
    index("work_orders_release_person")
      .on(table.release_person_id, table.id)
      .where(sql`${table.release_person_id} is not null`),
    index("work_orders_updated").on(table.updated_at, table.id),
  ],
);

/** The items that a work order covers. It keeps their names when they are removed. */
export const workOrderItems = sqliteTable(
  "work_order_items",
  {
    work_order_id: text()
      .$type<WorkOrderId>()
      .notNull()
      .references(() => workOrders.id),
    item_id: text().$type<MaintenanceItemId>().notNull(),
    name: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.work_order_id, table.item_id] }),
    index("work_order_items_item").on(table.item_id),
  ],
);

/** Who worked on a work order, when, and how long. */
export const workOrderHours = sqliteTable(
  "work_order_hours",
  {
    work_order_id: text()
      .$type<WorkOrderId>()
      .notNull()
      .references(() => workOrders.id),
    position: integer().notNull(),
    person_id: text()
      .$type<PersonId>()
      .references(() => people.id),
    /** Of somebody who is no person of the school. */
    worked_by: text(),
    worked_on: text().$type<LegalDate>().notNull(),
    minutes: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.work_order_id, table.position] }),
    index("work_order_hours_person")
      .on(table.person_id, table.work_order_id)
      .where(sql`${table.person_id} is not null`),
  ],
);

export const defectStatuses = ["open", "deferred", "rectified"] as const;

export const defects = sqliteTable(
  "defects",
  {
    id: text().$type<DefectId>().primaryKey(),
    aircraft_id: ofAircraft(),
    /** The flight on which it was noticed. */
    flight_id: text().$type<FlightId>(),
    description: text().notNull(),
    /** Whether it grounded the aircraft at once. */
    grounding: integer({ mode: "boolean" }).notNull(),
    status: text({ enum: defectStatuses }).notNull(),
    work_order_id: text()
      .$type<WorkOrderId>()
      .notNull()
      .references(() => workOrders.id),
    deferral_reason: text(),
    /** The aircraft may fly with the defect through this day, and for so much airframe time by flights that end after an instant. */
    deferred_until: text().$type<LegalDate>(),
    deferred_minutes: integer(),
    deferred_at: text().$type<Instant>(),
    /** From here on: the assessment (`defects/assess-deferral.ts`). The reading of the counter at which that time is flown. */
    deferred_until_airframe_minutes: integer(),
    /** The next date on which the deferral ends. */
    changes_on: text().$type<LegalDate>(),
    reported_by: text().$type<UserId>(),
    rectified_at: text().$type<Instant>(),
    ...stamps,
  },
  (table) => [
    index("defects_aircraft").on(table.aircraft_id, table.id),
    index("defects_work_order").on(table.work_order_id),
    index("defects_flight").on(table.flight_id).where(sql`${table.flight_id} is not null`),
    index("defects_changes_on").on(table.changes_on).where(sql`changes_on is not null`),
  ],
);
