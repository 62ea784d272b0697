/** Tenant database: flights and who flew them. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { AircraftId, FlightId, PersonId, UserId } from "../../core/ids.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { people } from "../people/people.tables.ts";

export const flightStatuses = ["draft", "submitted", "approved", "rejected", "reversed"] as const;

/** Functions on board, as a logbook has them (AMC1 FCL.050); `solo`, `spic` and `picus` count as PIC. */
export const crewFunctions = ["pic", "solo", "spic", "picus", "co_pilot", "dual", "instructor"] as const;
export type CrewFunction = (typeof crewFunctions)[number];

/** `nullAsEmpty` for indexes, whose expressions name no table. drizzle-kit splits expressions at commas: no `coalesce`. */
const newestLast = sql`case when off_block_at is null then '' else off_block_at end`;

export const flights = sqliteTable(
  "flights",
  {
    id: text().$type<FlightId>().primaryKey(),
    status: text({ enum: flightStatuses }).notNull(),
    /** 1 when first drafted; one more when a submitted flight is edited or a rejected one submitted again. */
    revision: integer().notNull(),
    aircraftId: text("aircraft_id")
      .$type<AircraftId>()
      .notNull()
      .references(() => aircraft.id),
    offBlockAt: text("off_block_at").$type<Instant>(),
    takeOffAt: text("take_off_at").$type<Instant>(),
    landingAt: text("landing_at").$type<Instant>(),
    onBlockAt: text("on_block_at").$type<Instant>(),
    /** ICAO location indicators; ZZZZ where there is none. */
    departure: text(),
    arrival: text(),
    dayLandings: integer("day_landings").notNull(),
    nightLandings: integer("night_landings").notNull(),
    nightMinutes: integer("night_minutes").notNull(),
    ifrMinutes: integer("ifr_minutes").notNull(),
    /** Readings of the aircraft's counters, in hundredths of an hour. */
    hobbsStart: integer("hobbs_start"),
    hobbsEnd: integer("hobbs_end"),
    tachoStart: integer("tacho_start"),
    tachoEnd: integer("tacho_end"),
    lesson: text(),
    remarks: text(),
    /** What looked odd when it was submitted: gaps between counter readings, Hobbs against block time. */
    warnings: text({ mode: "json" }).$type<string[]>().notNull(),
    createdBy: text("created_by").$type<UserId>().notNull(),
    submittedBy: text("submitted_by").$type<UserId>(),
    submittedAt: text("submitted_at").$type<Instant>(),
    approvedBy: text("approved_by").$type<UserId>(),
    approvedAt: text("approved_at").$type<Instant>(),
    /** Why the only member who could approve it approved a flight of their own. */
    selfApprovalReason: text("self_approval_reason"),
    rejectedAt: text("rejected_at").$type<Instant>(),
    rejectionReason: text("rejection_reason"),
    reversedAt: text("reversed_at").$type<Instant>(),
    reversalReason: text("reversal_reason"),
    createdAt: text("created_at").$type<Instant>().notNull(),
    updatedAt: text("updated_at").$type<Instant>().notNull(),
  },
  (table) => [
    // One for each combination of filters, in the order of the list.
    index("flights_off_block").on(newestLast, table.id),
    index("flights_status_off_block").on(table.status, newestLast, table.id),
    index("flights_aircraft_off_block").on(table.aircraftId, newestLast, table.id),
    index("flights_aircraft_status_off_block").on(table.aircraftId, table.status, newestLast, table.id),
    index("flights_created_by").on(table.createdBy),
  ],
);

export const flightCrew = sqliteTable(
  "flight_crew",
  {
    flightId: text("flight_id")
      .$type<FlightId>()
      .notNull()
      .references(() => flights.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    personId: text("person_id")
      .$type<PersonId>()
      .notNull()
      .references(() => people.id),
    function: text({ enum: crewFunctions }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.flightId, table.position] }),
    index("flight_crew_person").on(table.personId, table.flightId),
  ],
);

/**
 * Everybody who was on board in any revision that was submitted, with the account and the address they had then. Who
 * may not approve a flight is judged by these, so that neither a changed crew nor a changed person opens the way.
 */
export const flightFlyers = sqliteTable(
  "flight_flyers",
  {
    flightId: text("flight_id")
      .$type<FlightId>()
      .notNull()
      .references(() => flights.id, { onDelete: "cascade" }),
    personId: text("person_id").$type<PersonId>().notNull(),
    userId: text("user_id").$type<UserId>(),
    email: text(),
  },
  (table) => [primaryKey({ columns: [table.flightId, table.personId] })],
);
