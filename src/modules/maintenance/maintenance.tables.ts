/** Tenant database: what must be done to aircraft, and when. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type { AircraftId, MaintenanceItemId } from "../../core/ids.ts";
import { aircraft } from "../fleet/fleet.tables.ts";

/** The counter of an aircraft that an item's hours are measured against. */
export const hoursCounters = ["airframe", "hobbs", "tacho"] as const;
/** From worst to best. */
export const itemStatuses = ["overdue", "upcoming", "ok"] as const;

/**
 * A task that is repeated after hours, months or landings, whichever is first. Hours are whole hundredths, airframe time
 * is in minutes.
 */
export const maintenanceItems = sqliteTable(
  "maintenance_items",
  {
    id: text().$type<MaintenanceItemId>().primaryKey(),
    aircraft_id: text()
      .$type<AircraftId>()
      .notNull()
      .references(() => aircraft.id),
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
    /** From here on: the assessment by the aircraft's counters and by the date (`assessment/assess.ts`). */
    status: text({ enum: itemStatuses }).notNull(),
    past_tolerance: integer({ mode: "boolean" }).notNull(),
    due_on: text().$type<LegalDate>(),
    due_hours: integer(),
    due_landings: integer(),
    remaining_hours: integer(),
    remaining_landings: integer(),
    forecast_on: text().$type<LegalDate>(),
    /** The next date on which `status` or `past_tolerance` changes, if nobody flies or works on the aircraft. */
    changes_on: text().$type<LegalDate>(),
    created_at: text().$type<Instant>().notNull(),
    updated_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    index("maintenance_items_name").on(table.name, table.id),
    index("maintenance_items_status").on(table.status, table.name, table.id),
    index("maintenance_items_aircraft").on(table.aircraft_id, table.name, table.id),
    index("maintenance_items_aircraft_status").on(table.aircraft_id, table.status, table.name, table.id),
    index("maintenance_items_changes_on").on(table.changes_on).where(sql`changes_on is not null`),
  ],
);
