/** Tenant database: sessions, what they take up, and when the school and its people are there. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type { AircraftId, FlightId, Id, LessonId, PersonId, UserId } from "../../core/ids.ts";
import { stamps } from "../../storage/stamps.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { people } from "../people/people.tables.ts";
import { actions } from "../rules/clearance-rules.ts";

export type PlanningSessionId = Id<"session">;
export type RoomId = Id<"room">;
export type SeriesId = Id<"series">;

export const sessionKinds = ["flight", "lesson", "maintenance", "ground", "other"] as const;
export type SessionKind = (typeof sessionKinds)[number];
export const sessionStatuses = ["requested", "planned", "checked_in", "completed", "cancelled", "no_show"] as const;
export type SessionStatus = (typeof sessionStatuses)[number];
export const cancellationReasons = ["weather", "aircraft", "student", "instructor", "school", "other"] as const;
export const resourceTypes = ["aircraft", "instructor", "student", "room"] as const;
export type ResourceType = (typeof resourceTypes)[number];
export const roomStatuses = ["available", "archived"] as const;

export const planningRooms = sqliteTable("planning_rooms", {
  id: text().$type<RoomId>().primaryKey(),
  name: text().notNull().unique(),
  seats: integer(),
  status: text({ enum: roomStatuses }).notNull(),
  ...stamps,
});

const aPerson = () =>
  text()
    .$type<PersonId>()
    .references(() => people.id);
const anAircraft = () =>
  text()
    .$type<AircraftId>()
    .references(() => aircraft.id);

export const planningSessions = sqliteTable(
  "planning_sessions",
  {
    id: text().$type<PlanningSessionId>().primaryKey(),
    kind: text({ enum: sessionKinds }).notNull(),
    status: text({ enum: sessionStatuses }).notNull(),
    title: text(),
    notes: text(),
    start_at: text().$type<Instant>().notNull(),
    end_at: text().$type<Instant>().notNull(),
    aircraft_id: anAircraft(),
    instructor_id: aPerson(),
    room_id: text()
      .$type<RoomId>()
      .references(() => planningRooms.id),
    /** Whether a part of the flight is at night. */
    night: integer({ mode: "boolean" }).notNull().default(false),
    /** The lesson of a syllabus that is planned. */
    lesson_id: text().$type<LessonId>(),
    /** The same for all sessions of a series. */
    series_id: text().$type<SeriesId>(),
    /** Grows by one with each change that calendars show (RFC 5545, 3.8.7.4). */
    sequence: integer().notNull(),
    /** The draft that the check-in made. */
    flight_id: text().$type<FlightId>(),
    cancellation_reason: text({ enum: cancellationReasons }),
    cancellation_note: text(),
    /** Whether it was cancelled within the notice period. */
    cancelled_late: integer({ mode: "boolean" }).notNull().default(false),
    cancelled_at: text().$type<Instant>(),
    /** Whether it was a request still when it was cancelled. */
    was_request: integer({ mode: "boolean" }).notNull().default(false),
    created_by: text().$type<UserId>(),
    ...stamps,
  },
  (table) => [
    index("planning_sessions_start").on(table.start_at, table.id),
    index("planning_sessions_kind").on(table.kind, table.start_at, table.id),
    index("planning_sessions_status").on(table.status, table.start_at, table.id),
    index("planning_sessions_room")
      .on(table.room_id, table.start_at, table.id)
      .where(sql`${table.room_id} is not null`),
    index("planning_sessions_series")
      .on(table.series_id, table.start_at, table.id)
      .where(sql`${table.series_id} is not null`),
    index("planning_sessions_instructor").on(table.instructor_id, table.start_at, table.id),
    index("planning_sessions_aircraft").on(table.aircraft_id, table.start_at, table.id),
    index("planning_sessions_updated").on(table.updated_at, table.id),
    index("planning_sessions_flight").on(table.flight_id).where(sql`${table.flight_id} is not null`),
  ],
);

/** A literal, because SQLite uses a partial index only for the same condition. */
export const isBlocking = sql`blocks`;

/**
 * What a session takes up. The rows of one resource that block never overlap, so of those that begin before a time, the one
 * that begins last also ends last.
 */
export const planningResources = sqliteTable(
  "planning_session_resources",
  {
    session_id: text()
      .$type<PlanningSessionId>()
      .notNull()
      .references(() => planningSessions.id, { onDelete: "cascade" }),
    /** In the order of the request: it decides who flies (`rules/on-board.ts`). */
    position: integer().notNull(),
    type: text({ enum: resourceTypes }).notNull(),
    /** No foreign key: an aircraft, a person or a room. */
    resource_id: text().notNull(),
    /** As the session's. */
    start_at: text().$type<Instant>().notNull(),
    end_at: text().$type<Instant>().notNull(),
    /** Whether nothing else can take it up meanwhile: not of a session that was cancelled. */
    blocks: integer({ mode: "boolean" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.session_id, table.position] }),
    index("planning_session_resources_start").on(table.resource_id, table.start_at, table.session_id),
    // It has all that a search for free times reads.
    index("planning_session_resources_blocking")
      .on(table.resource_id, table.start_at, table.end_at, table.type, table.session_id)
      .where(isBlocking),
  ],
);

const action = () => text({ enum: actions }).notNull();

/** One row, whose id is 1. A school without it has the defaults of `settings.ts`. */
export const planningSettings = sqliteTable("planning_settings", {
  id: integer().primaryKey(),
  aircraft_buffer_minutes: integer().notNull(),
  instructor_buffer_minutes: integer().notNull(),
  duty_day_minutes: integer(),
  duty_week_minutes: integer(),
  students_book: integer({ mode: "boolean" }).notNull(),
  confirm_requests: integer({ mode: "boolean" }).notNull(),
  min_hours_ahead: integer(),
  max_days_ahead: integer(),
  max_open_bookings: integer(),
  cancel_notice_hours: integer().notNull(),
  offer_hours: integer().notNull(),
  buffers: action(),
  opening_hours: action(),
  availability: action(),
  out_of_service: action(),
  duty: action(),
  lesson_prerequisites: action(),
  updated_at: text().$type<Instant>().notNull(),
});

/** Weekly hours in the organization's time zone: of a person, or the opening hours of the school. */
export const planningHours = sqliteTable(
  "planning_hours",
  {
    id: text().$type<Id<"hours">>().primaryKey(),
    /** Null: the school. */
    person_id: aPerson(),
    /** 1 is Monday. */
    weekday: integer().notNull(),
    /** `HH:MM`; `24:00` is the end of the day. */
    from_time: text().notNull(),
    to_time: text().notNull(),
    /** The first and the last day on which they apply. */
    from_on: text().$type<LegalDate>(),
    until_on: text().$type<LegalDate>(),
    ...stamps,
  },
  (table) => [index("planning_hours_person").on(table.person_id, table.id)],
);

/** Days on which a person is away, or the school is closed. */
export const planningAbsences = sqliteTable(
  "planning_absences",
  {
    id: text().$type<Id<"absence">>().primaryKey(),
    /** Null: the school. */
    person_id: aPerson(),
    from_on: text().$type<LegalDate>().notNull(),
    until_on: text().$type<LegalDate>().notNull(),
    reason: text(),
    ...stamps,
  },
  (table) => [index("planning_absences_person").on(table.person_id, table.id)],
);

export const wishStatuses = ["waiting", "offered", "booked", "withdrawn", "expired"] as const;

/** What somebody would book if it became free. */
export const planningWishes = sqliteTable(
  "planning_wishes",
  {
    id: text().$type<Id<"wish">>().primaryKey(),
    person_id: aPerson().notNull(),
    /** Null: any. */
    icao_type: text(),
    instructor_id: aPerson(),
    from_at: text().$type<Instant>().notNull(),
    until_at: text().$type<Instant>().notNull(),
    minutes: integer().notNull(),
    status: text({ enum: wishStatuses }).notNull(),
    /** When what became free is offered to the next. */
    offered_until: text().$type<Instant>(),
    /** What became free. */
    offered_start_at: text().$type<Instant>(),
    offered_end_at: text().$type<Instant>(),
    offered_aircraft_id: anAircraft(),
    offered_instructor_id: aPerson(),
    ...stamps,
  },
  (table) => [
    index("planning_wishes_status").on(table.status, table.id),
    index("planning_wishes_person").on(table.person_id, table.id),
  ],
);
