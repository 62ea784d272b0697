/** Tenant database: aircraft and their counters. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { AircraftId, FlightId, GroundingId, Id, UserId } from "../../core/ids.ts";
import { stamps } from "../../storage/stamps.ts";
import { aircraftClasses } from "./fleet.values.ts";

export const aircraftStatuses = ["available", "grounded", "archived"] as const;
/** The time or counter of a flight that is charged. */
export const billingBases = ["block", "airborne", "hobbs", "tacho"] as const;

export const aircraft = sqliteTable("aircraft", {
  id: text().$type<AircraftId>().primaryKey(),
  registration: text().notNull().unique(),
  model: text().notNull(),
  /** ICAO type designator (Doc 8643), for example C172. */
  icao_type: text(),
  /** Of its maker: with the type and the registration, it identifies the aircraft. */
  serial_number: text(),
  class: text({ enum: aircraftClasses }).notNull(),
  /** Maximum take-off mass in kilograms. */
  mtom_kg: integer(),
  seats: integer(),
  /** It needs two pilots, by its type certificate or by how the school operates it. */
  multi_pilot: integer({ mode: "boolean" }).notNull().default(false),
  /** In `currency`, the organization's currency when the rate was set. A later change of that one converts no rates. */
  hourly_rate_minor: integer(),
  currency: text(),
  billing_basis: text({ enum: billingBases }).notNull(),
  status: text({ enum: aircraftStatuses }).notNull(),
  /**
   * The current counters: the opening values plus the postings of approved flights and the corrections. Hobbs and tacho are in hundredths
   * of an hour, airframe time is in minutes, landings are cycles.
   */
  hobbs: integer().notNull(),
  tacho: integer().notNull(),
  airframe_minutes: integer().notNull(),
  landings: integer().notNull().default(0),
  /** The counters before the first recorded flight. */
  opening_hobbs: integer().notNull(),
  opening_tacho: integer().notNull(),
  opening_airframe_minutes: integer().notNull(),
  opening_landings: integer().notNull().default(0),
  ...stamps,
});

/** The column of what belongs to an aircraft. */
export const ofAircraft = () =>
  text()
    .$type<AircraftId>()
    .notNull()
    .references(() => aircraft.id);

/** `by_hand`: by a member; `record`: a document of the aircraft has expired. */
export const groundingKinds = ["by_hand", "defect", "maintenance", "record"] as const;

/** A literal, because SQLite uses a partial index only for the same condition. */
export const isOpenGrounding = sql`lifted_at is null`;

/** Why aircraft are or were grounded. An aircraft is grounded while one of its reasons is not lifted. */
export const groundings = sqliteTable(
  "groundings",
  {
    id: text().$type<GroundingId>().primaryKey(),
    aircraft_id: ofAircraft(),
    kind: text({ enum: groundingKinds }).notNull(),
    /** What grounds it: a defect, a maintenance item, a record. Null if it was grounded by hand. */
    subject_id: text(),
    note: text().notNull(),
    since: text().$type<Instant>().notNull(),
    /** Null if a job did it. */
    grounded_by: text().$type<UserId>(),
    lifted_at: text().$type<Instant>(),
    lifted_by: text().$type<UserId>(),
    /** What the member who lifted it by hand wrote about that. */
    lift_note: text(),
  },
  (table) => [
    index("groundings_open").on(table.aircraft_id, table.id).where(isOpenGrounding),
    // For the list of an aircraft, which has those that are lifted, too.
    index("groundings_aircraft").on(table.aircraft_id, table.id),
    // With the first: for the reasons that were open at a time.
    index("groundings_lifted").on(table.aircraft_id, table.lifted_at).where(sql`lifted_at is not null`),
  ],
);

/**
 * What an approval added to an aircraft's counters, and the opposite entry of a reversal. An aircraft's counters are its
 * opening values plus the sums of its postings and of its corrections.
 */
export const counterPostings = sqliteTable(
  "counter_postings",
  {
    /** No foreign key: the tables of flights refer to this file. */
    flight_id: text().$type<FlightId>().notNull(),
    kind: text({ enum: ["approval", "reversal"] }).notNull(),
    aircraft_id: ofAircraft(),
    hobbs: integer().notNull(),
    tacho: integer().notNull(),
    airframe_minutes: integer().notNull(),
    landings: integer().notNull().default(0),
    posted_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.flight_id, table.kind] }),
    index("counter_postings_aircraft").on(table.aircraft_id, table.posted_at),
  ],
);

/** By how much corrections changed an aircraft's counters. */
export const counterCorrections = sqliteTable(
  "counter_corrections",
  {
    id: text().$type<Id<"correction">>().primaryKey(),
    aircraft_id: ofAircraft(),
    hobbs: integer().notNull(),
    tacho: integer().notNull(),
    airframe_minutes: integer().notNull(),
    landings: integer().notNull(),
    reason: text().notNull(),
    /** Null if no member did it. */
    corrected_by: text().$type<UserId>(),
    corrected_at: text().$type<Instant>().notNull(),
  },
  (table) => [index("counter_corrections_aircraft").on(table.aircraft_id, table.id)],
);
