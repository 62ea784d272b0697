/** Tenant database: flights and who flew them. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { AircraftId, EnrollmentId, FlightId, LessonId, PersonId, UserId } from "../../core/ids.ts";
import { stamps } from "../../storage/stamps.ts";
import { ofAircraft } from "../fleet/fleet.tables.ts";
import { people } from "../people/people.tables.ts";
import { crewFunctions } from "../rules/crew.values.ts";
import type { FlightFinding } from "../rules/findings.schemas.ts";

export const publicStatuses = ["submitted", "approved", "rejected", "reversed"] as const;
export const flightStatuses = ["draft", ...publicStatuses] as const;

/** Why a flight is made. `simulator` is no flight: it is a session on an aircraft of class FSTD. */
export const natures = ["training", "private", "hire", "trial", "ferry", "maintenance", "simulator"] as const;

/** `nullAsEmpty` for indexes, whose expressions must not name a table. No `coalesce`: drizzle-kit splits at its comma. */
const newestLast = sql`case when off_block_at is null then '' else off_block_at end`;

/** The public API shows no drafts. A literal, because SQLite uses a partial index only for the same condition. */
export const isPublic = sql`status <> 'draft'`;

/** What was flown and found right: a record that the law wants kept. */
export const recordStatuses = ["approved", "reversed"] as const;

/** For mechanics. A literal, as above. */
export const hasWorkshopRemarks = sql`workshop_remarks is not null`;

/** Flights that name a lesson. A literal, as above. */
const isTraining = sql`enrollment_id is not null`;

/** Crew members of approved flights. A literal, as above. */
export const isLogged = sql`logged_at is not null`;

export const flights = sqliteTable(
  "flights",
  {
    id: text().$type<FlightId>().primaryKey(),
    status: text({ enum: flightStatuses }).notNull(),
    /** 1 for a new draft. Grows by one when a submitted flight is edited or a rejected one is submitted again. */
    revision: integer().notNull(),
    /** Flown before and imported: approved by nobody, and not posted to the counters. */
    imported: integer({ mode: "boolean" }).notNull().default(false),
    aircraft_id: ofAircraft(),
    /** Null: not stated. */
    nature: text({ enum: natures }),
    off_block_at: text().$type<Instant>(),
    take_off_at: text().$type<Instant>(),
    landing_at: text().$type<Instant>(),
    on_block_at: text().$type<Instant>(),
    /** ICAO location indicators; ZZZZ for a place without one. */
    departure: text(),
    arrival: text(),
    day_landings: integer().notNull(),
    night_landings: integer().notNull(),
    night_minutes: integer().notNull(),
    ifr_minutes: integer().notNull(),
    /** Readings of the aircraft's counters in hundredths of an hour. */
    hobbs_start: integer(),
    hobbs_end: integer(),
    tacho_start: integer(),
    tacho_end: integer(),
    /** Persons on board besides the crew. */
    passengers: integer().notNull().default(0),
    /** In hundredths of a litre. */
    fuel_uplift_litres: integer(),
    oil_uplift_litres: integer(),
    lesson: text(),
    /** The lesson of a training program that was flown, and whose training it counts for. */
    lesson_id: text().$type<LessonId>(),
    enrollment_id: text().$type<EnrollmentId>(),
    /** Of a solo flight: the instructor who authorized it and supervises it from the ground (FCL.020). */
    supervisor_id: text()
      .$type<PersonId>()
      .references(() => people.id),
    /** Of a cross-country flight: its distance, and its full-stop landings at other aerodromes than that of departure. */
    cross_country_km: integer(),
    full_stops_elsewhere: integer(),
    remarks: text(),
    /** For the mechanics: what is no defect. */
    workshop_remarks: text(),
    /** Implausible values when it was written or submitted: see `warningCodes`. */
    warnings: text({ mode: "json" }).$type<string[]>().notNull(),
    /** What the clearance found when it was submitted or edited, and again when it was approved. */
    findings: text({ mode: "json" }).$type<FlightFinding[]>().notNull().default([]),
    created_by: text().$type<UserId>().notNull(),
    submitted_by: text().$type<UserId>(),
    submitted_at: text().$type<Instant>(),
    approved_by: text().$type<UserId>(),
    approved_at: text().$type<Instant>(),
    /** Why the approver approved their own flight. */
    self_approval_reason: text(),
    rejected_at: text().$type<Instant>(),
    rejection_reason: text(),
    reversed_at: text().$type<Instant>(),
    reversal_reason: text(),
    ...stamps,
  },
  (table) => [
    // One index for each combination of filters, in the order of the list. The indexes of aircraft come first: where several cost
    // the same, SQLite's choice depends on their order (`list-plans.test.ts`).
    index("flights_aircraft_off_block").on(table.aircraft_id, newestLast, table.id),
    index("flights_aircraft_status_off_block").on(table.aircraft_id, table.status, newestLast, table.id),
    index("flights_off_block").on(newestLast, table.id),
    index("flights_status_off_block").on(table.status, newestLast, table.id),
    index("flights_workshop").on(newestLast, table.id, table.aircraft_id).where(hasWorkshopRemarks),
    // Members list their own flights by it. The filters follow the order, so that they are compared without reading the row.
    index("flights_created_by").on(
      table.created_by,
      newestLast,
      table.id,
      table.status,
      table.aircraft_id,
      hasWorkshopRemarks,
    ),
    index("flights_enrollment").on(table.enrollment_id, table.status).where(isTraining),
    index("flights_supervisor")
      .on(table.supervisor_id, newestLast, table.id)
      .where(sql`${table.supervisor_id} is not null`),
    index("flights_public_off_block").on(newestLast, table.id).where(isPublic),
    // In the order of changes, for `updated_since`.
    index("flights_updated").on(table.updated_at, table.id, table.status).where(isPublic),
  ],
);

export const flightCrew = sqliteTable(
  "flight_crew",
  {
    flight_id: text()
      .$type<FlightId>()
      .notNull()
      .references(() => flights.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    person_id: text()
      .$type<PersonId>()
      .notNull()
      .references(() => people.id),
    function: text({ enum: crewFunctions }).notNull(),
    /** Those that the member made (`crew-landings.ts`). */
    day_landings: integer().notNull().default(0),
    night_landings: integer().notNull().default(0),
    /** `off_block_at` of the flight while it is approved: the crew's logbooks have it, in this order. */
    logged_at: text().$type<Instant>(),
    /** Its block time while it is approved: rules about recent experience count the flights of hundreds of people. */
    logged_minutes: integer(),
    // Copies of the flight's: members list their own flights by them. Without an off-block time: the empty text.
    off_block_at: text().$type<Instant | "">().notNull().default(""),
    status: text({ enum: flightStatuses }).notNull().default("draft"),
    aircraft_id: text()
      .$type<AircraftId>()
      .notNull()
      .default("" as AircraftId),
    has_workshop_remarks: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.flight_id, table.position] }),
    index("flight_crew_listed").on(
      ...([table.person_id, table.off_block_at, table.flight_id] as const),
      ...([table.status, table.aircraft_id, table.has_workshop_remarks, table.function] as const),
    ),
    index("flight_crew_logbook").on(table.person_id, table.logged_at, table.flight_id).where(isLogged),
  ],
);

/**
 * All people who were on board in any submitted revision, with the account and the address that they had then. They may
 * not approve the flight, even if the crew or the person is changed later.
 */
export const flightFlyers = sqliteTable(
  "flight_flyers",
  {
    flight_id: text()
      .$type<FlightId>()
      .notNull()
      .references(() => flights.id, { onDelete: "cascade" }),
    person_id: text().$type<PersonId>().notNull(),
    user_id: text().$type<UserId>(),
    email: text(),
  },
  (table) => [primaryKey({ columns: [table.flight_id, table.person_id] })],
);
