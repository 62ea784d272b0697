/** Tenant database: records of people and aircraft that expire, and their types. */
import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type { AircraftId, Id, PersonId, UserId } from "../../core/ids.ts";
import { stamps } from "../../storage/stamps.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { people } from "../people/people.tables.ts";
import { subjects } from "./built-in-types.ts";
import type { OtherLevel } from "./rules/other-levels.ts";
import { methods } from "./rules/rule.ts";

export type RecordTypeId = Id<"type">;
export type RecordId = Id<"record">;
export type RequirementId = Id<"requirement">;
export type EvaluationId = Id<"evaluation">;

export const complianceTypes = sqliteTable("compliance_types", {
  id: text().$type<RecordTypeId>().primaryKey(),
  /** Its name in records, queries and events. Never changes. */
  key: text().notNull().unique(),
  name: text().notNull(),
  subject: text({ enum: subjects }).notNull(),
  /** The classes or levels, one of which a record names. Empty: records have no level. */
  levels: text({ mode: "json" }).$type<string[]>().notNull(),
  /** The suggested validity; null: unlimited, or by a rule. */
  validity_months: integer(),
  /** A record has an expiry. Not if it is of a level that a rule makes unlimited. */
  valid_until_required: integer({ mode: "boolean" }).notNull().default(false),
  /** The number of days before the expiry from which on a record counts as expiring. */
  warning_days: integer().notNull(),
  built_in: integer({ mode: "boolean" }).notNull(),
  ...stamps,
});

/** What a person does, by their types; or an aircraft; or a simulator, which is an aircraft of class FSTD. */
export const roles = ["student", "pilot", "instructor", "aircraft", "simulator"] as const;
export type ComplianceRole = (typeof roles)[number];

/** What a school requires of people in a role, of aircraft and of simulators: a valid record of one of the types. */
export const complianceRequirements = sqliteTable("compliance_requirements", {
  id: text().$type<RequirementId>().primaryKey(),
  applies_to: text({ enum: roles }).notNull(),
  /** Keys of types, one of which is enough. */
  any_of: text({ mode: "json" }).$type<string[]>().notNull(),
  /** The levels that are enough. Empty: any. */
  levels: text({ mode: "json" }).$type<string[]>().notNull(),
  ...stamps,
});

export const evaluationStatuses = ["compliant", "expiring", "not_compliant"] as const;

/** Why a person or an aircraft is not compliant, or will not be soon. */
export interface EvaluationReason {
  requirement_id: RequirementId;
  /** Keys of types, one of which is enough. */
  any_of: string[];
  state: "missing" | "expired" | "expiring";
  /** The record that counts; null if there is none. */
  record_id: RecordId | null;
  valid_until: LegalDate | null;
}

/** The result of comparing a subject's records with what is required, kept in step with both. */
export const complianceEvaluations = sqliteTable(
  "compliance_evaluations",
  {
    id: text().$type<EvaluationId>().primaryKey(),
    person_id: text()
      .$type<PersonId>()
      .unique()
      .references(() => people.id, { onDelete: "cascade" }),
    aircraft_id: text()
      .$type<AircraftId>()
      .unique()
      .references(() => aircraft.id, { onDelete: "cascade" }),
    status: text({ enum: evaluationStatuses }).notNull(),
    reasons: text({ mode: "json" }).$type<EvaluationReason[]>().notNull(),
    /** The first day on which the result differs, or the requirements have changed. Null: never by itself. */
    changes_on: text().$type<LegalDate>(),
    evaluated_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    index("compliance_evaluations_status").on(table.status, table.id),
    index("compliance_evaluations_changes").on(table.changes_on).where(sql`${table.changes_on} is not null`),
  ],
);

export const recordStatuses = ["current", "superseded", "withdrawn"] as const;

/** A document, rating or certificate. It is never edited: a newer record supersedes it. */
export const complianceRecords = sqliteTable(
  "compliance_records",
  {
    id: text().$type<RecordId>().primaryKey(),
    /** Either a person or an aircraft, as the type says. */
    person_id: text()
      .$type<PersonId>()
      .references(() => people.id),
    aircraft_id: text()
      .$type<AircraftId>()
      .references(() => aircraft.id),
    type: text()
      .notNull()
      .references(() => complianceTypes.key),
    level: text(),
    number: text(),
    /** The authority, examiner or insurer. */
    issued_by: text(),
    issued_on: text().$type<LegalDate>().notNull(),
    /** Valid through this day; null: unlimited. */
    valid_until: text().$type<LegalDate>(),
    /** The last days that it states for other levels: of a medical of class 1, for class 2 and the LAPL. */
    other_levels: text({ mode: "json" }).$type<OtherLevel[]>().notNull().default([]),
    /** How it was made valid; null: not stated. */
    method: text({ enum: methods }),
    remarks: text(),
    status: text({ enum: recordStatuses }).notNull(),
    superseded_by: text()
      .$type<RecordId>()
      .references((): AnySQLiteColumn => complianceRecords.id),
    withdrawal_reason: text(),
    /** Of a withdrawn one: it never counted, so it says nothing about earlier ones. */
    entered_by_mistake: integer({ mode: "boolean" }).notNull().default(false),
    /** Of a current record of a person: the day of the next notice that it expires. Null when there is none left. */
    next_notice_on: text().$type<LegalDate>(),
    /** When the person was reminded by hand that it expires. */
    reminded_at: text().$type<Instant>(),
    created_by: text().$type<UserId>().notNull(),
    ...stamps,
  },
  (table) => [
    check("compliance_records_subject", sql`(${table.person_id} is null) <> (${table.aircraft_id} is null)`),
    // One index for each combination of filters; a subject has few records. By id: the newest entry first.
    index("compliance_records_person").on(table.person_id, table.id),
    index("compliance_records_aircraft").on(table.aircraft_id, table.id),
    index("compliance_records_type").on(table.type, table.id),
    index("compliance_records_status").on(table.status, table.id),
    index("compliance_records_notice").on(table.next_notice_on).where(sql`${table.next_notice_on} is not null`),
    // Without withdrawn and superseded ones, as the list of expiries reads it.
    index("compliance_records_expiry")
      .on(table.valid_until, table.id)
      .where(sql`${table.status} = 'current' and ${table.valid_until} is not null`),
    // For erasures: SQLite looks for what refers to a deleted record.
    index("compliance_records_superseded_by").on(table.superseded_by).where(sql`${table.superseded_by} is not null`),
    // For the record that counts: the newest current one of a subject and a type.
    index("compliance_records_person_type").on(table.person_id, table.type, table.status, table.issued_on),
    index("compliance_records_aircraft_type").on(table.aircraft_id, table.type, table.status, table.issued_on),
  ],
);
