/** Tenant database: records of people and aircraft that expire, and their types. */
import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type { AircraftId, Id, PersonId, UserId } from "../../core/ids.ts";
import { aircraft } from "../fleet/fleet.tables.ts";
import { people } from "../people/people.tables.ts";
import { subjects } from "./built-in-types.ts";

export type RecordTypeId = Id<"type">;
export type RecordId = Id<"record">;

export const complianceTypes = sqliteTable(
  "compliance_types",
  {
    id: text().$type<RecordTypeId>().primaryKey(),
    /** Its name in records, queries and events. Never changes. */
    key: text().notNull().unique(),
    name: text().notNull(),
    subject: text({ enum: subjects }).notNull(),
    /** The classes or levels, one of which a record names. Empty: records have no level. */
    levels: text({ mode: "json" }).$type<string[]>().notNull(),
    /** The suggested validity; null: unlimited, or by a rule. */
    validity_months: integer(),
    /** The number of days before the expiry from which on a record counts as expiring. */
    warning_days: integer().notNull(),
    built_in: integer({ mode: "boolean" }).notNull(),
    created_at: text().$type<Instant>().notNull(),
    updated_at: text().$type<Instant>().notNull(),
  },
  (table) => [index("compliance_types_subject").on(table.subject, table.key)],
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
    remarks: text(),
    status: text({ enum: recordStatuses }).notNull(),
    superseded_by: text()
      .$type<RecordId>()
      .references((): AnySQLiteColumn => complianceRecords.id),
    withdrawal_reason: text(),
    /** Of a current medical: the day of the next `medical.expiring`. Null when there is none left. */
    next_notice_on: text().$type<LegalDate>(),
    created_by: text().$type<UserId>().notNull(),
    created_at: text().$type<Instant>().notNull(),
    updated_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    check("compliance_records_subject", sql`(${table.person_id} is null) <> (${table.aircraft_id} is null)`),
    // One index for each combination of filters; a subject has few records. By id: the newest entry first.
    index("compliance_records_person").on(table.person_id, table.id),
    index("compliance_records_aircraft").on(table.aircraft_id, table.id),
    index("compliance_records_type").on(table.type, table.id),
    index("compliance_records_status").on(table.status, table.id),
    index("compliance_records_type_status").on(table.type, table.status, table.id),
    index("compliance_records_notice").on(table.next_notice_on).where(sql`${table.next_notice_on} is not null`),
    // For the record that counts: the newest current one of a subject and a type.
    index("compliance_records_person_type").on(table.person_id, table.type, table.status, table.issued_on),
    index("compliance_records_aircraft_type").on(table.aircraft_id, table.type, table.status, table.issued_on),
  ],
);
