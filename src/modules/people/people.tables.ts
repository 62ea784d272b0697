/** Tenant database: the people of a school, whether or not they have an account. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type AnySQLiteColumn, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type { PersonId, UserId } from "../../core/ids.ts";

export const personTypes = ["student", "pilot", "instructor", "mechanic", "staff"] as const;
export type PersonType = (typeof personTypes)[number];

/** Whom the public API lists as pilots: students among them, and with instructors. */
export const pilotTypes = ["student", "pilot"] as const;
export const flyingTypes = ["student", "pilot", "instructor"] as const;

/**
 * Whether a person has one of the types. `types` is a JSON array of these very words, so its text holds a quoted word
 * exactly when the array has the type. The words are spelled out: partial indexes are of no use to a parameter.
 */
export const isOneOf = (types: SQLWrapper, wanted: readonly PersonType[]): SQL =>
  sql`(${sql.join(
    wanted.map((type) => sql`instr(${types}, ${sql.raw(`'"${type}"'`)}) > 0`),
    sql.raw(" or "),
  )})`;

export const people = sqliteTable(
  "people",
  {
    id: text().$type<PersonId>().primaryKey(),
    name: text().notNull(),
    email: text(),
    /** What somebody is in aviation; at least one. What their account may do is the membership's roles. */
    types: text({ mode: "json" }).$type<PersonType[]>().notNull(),
    date_of_birth: text().$type<LegalDate>(),
    licence_number: text(),
    /** Class and type ratings and certificates by their usual short names: SEP, MEP, IR, FI. */
    ratings: text({ mode: "json" }).$type<string[]>().notNull(),
    /** The account that is this person, when they have one here. */
    user_id: text().$type<UserId>().unique(),
    /** A flight instructor whose privileges are restricted (FCL.910.FI), and who supervises them. */
    restricted_instructor: integer({ mode: "boolean" }).notNull(),
    supervisor_id: text()
      .$type<PersonId>()
      .references((): AnySQLiteColumn => people.id),
    created_at: text().$type<Instant>().notNull(),
    updated_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    index("people_name").on(table.name, table.id),
    // Of several that would do, SQLite takes the last: the narrowest.
    index("people_flying").on(table.name, table.id).where(isOneOf(table.types, flyingTypes)),
    index("people_pilots").on(table.name, table.id).where(isOneOf(table.types, pilotTypes)),
    ...personTypes.map((type) =>
      index(`people_${type}`)
        .on(table.name, table.id)
        .where(isOneOf(table.types, [type])),
    ),
    index("people_email").on(table.email),
    index("people_supervisor").on(table.supervisor_id),
  ],
);
