/** Tenant database: aircraft and their counters. */
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { AircraftId, FlightId } from "../../core/ids.ts";

export const aircraftClasses = ["SEP", "MEP", "TMG", "SET", "sailplane", "helicopter", "other"] as const;
export const aircraftStatuses = ["available", "grounded", "archived"] as const;
/** Which of a flight's figures is charged. */
export const billingBases = ["block", "airborne", "hobbs", "tacho"] as const;

export const aircraft = sqliteTable(
  "aircraft",
  {
    id: text().$type<AircraftId>().primaryKey(),
    registration: text().notNull().unique(),
    model: text().notNull(),
    /** ICAO type designator (Doc 8643), for example C172. */
    icao_type: text(),
    class: text({ enum: aircraftClasses }).notNull(),
    /** Maximum take-off mass in kilograms. */
    mtom_kg: integer(),
    seats: integer(),
    /** In the currency beside it, the organization's when the rate was set: a later change there converts no prices. */
    hourly_rate_minor: integer(),
    currency: text(),
    billing_basis: text({ enum: billingBases }).notNull(),
    status: text({ enum: aircraftStatuses }).notNull(),
    /**
     * The counters now: the opening values plus what the approved flights posted. Hobbs and tacho in hundredths of an
     * hour; airframe time in minutes.
     */
    hobbs: integer().notNull(),
    tacho: integer().notNull(),
    airframe_minutes: integer().notNull(),
    /** The counters before the first flight here, moved by audited corrections. */
    opening_hobbs: integer().notNull(),
    opening_tacho: integer().notNull(),
    opening_airframe_minutes: integer().notNull(),
    created_at: text().$type<Instant>().notNull(),
    updated_at: text().$type<Instant>().notNull(),
  },
  (table) => [index("aircraft_status").on(table.status, table.registration)],
);

/**
 * What an approval moved on an aircraft, and the opposite entry of a reversal: an aircraft's counters are its opening
 * values plus the sum of these.
 */
export const counterPostings = sqliteTable(
  "counter_postings",
  {
    /** A flight's; fleet knows nothing else of flights. */
    flight_id: text().$type<FlightId>().notNull(),
    kind: text({ enum: ["approval", "reversal"] }).notNull(),
    aircraft_id: text()
      .$type<AircraftId>()
      .notNull()
      .references(() => aircraft.id),
    hobbs: integer().notNull(),
    tacho: integer().notNull(),
    airframe_minutes: integer().notNull(),
    posted_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.flight_id, table.kind] }),
    index("counter_postings_aircraft").on(table.aircraft_id),
  ],
);
