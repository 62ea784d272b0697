/** Tenant database: the people of a school, whether or not they have an account. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type AnySQLiteColumn, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type { PersonId, UserId } from "../../core/ids.ts";
import { languages } from "../../core/languages.ts";
import { stamps } from "../../storage/stamps.ts";

export const personTypes = ["student", "pilot", "instructor", "mechanic", "staff"] as const;
export type PersonType = (typeof personTypes)[number];

/** An archived person is no longer at the school, and stays in its records. */
export const personStatuses = ["active", "archived"] as const;
export type PersonStatus = (typeof personStatuses)[number];

/** The types that the public API lists as pilots: without instructors, and with them. */
export const pilotTypes = ["student", "pilot"] as const;
export const flyingTypes = ["student", "pilot", "instructor"] as const;

/**
 * Matches people who have one of the types. `types` is a JSON array of these words, so its text contains the quoted word
 * exactly if the array contains the type. The words are literals because SQLite uses a partial index only for literals.
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
    status: text({ enum: personStatuses }).notNull().default("active"),
    email: text(),
    phone: text(),
    /** The postal address: street and house number, further lines, and what follows. */
    street: text(),
    postcode: text(),
    city: text(),
    /** ISO 3166-1, two letters. */
    country: text(),
    /** The person to call in an emergency. */
    emergency_name: text(),
    emergency_phone: text(),
    emergency_relation: text(),
    /** The person's functions in aviation; at least one. The roles of the membership decide what the account may do. */
    types: text({ mode: "json" }).$type<PersonType[]>().notNull(),
    /** These, and those that the person had before: a mirror of a list finds who left it. */
    types_ever: text({ mode: "json" }).$type<PersonType[]>().notNull().default([]),
    /** Of documents, and of mails without an account. Null: the language of the account, or else of the school. */
    language: text({ enum: languages }),
    date_of_birth: text().$type<LegalDate>(),
    licence_number: text(),
    /** The competent authority that issued the licence. */
    licence_authority: text(),
    /** Class and type ratings and certificates by their usual abbreviations: SEP, MEP, IR, FI. */
    ratings: text({ mode: "json" }).$type<string[]>().notNull(),
    /** The account of this person, if they are a member of the organization. */
    user_id: text().$type<UserId>().unique(),
    /**
     * The account that linked `user_id`, or sent the invite that did. Null: the person was added with it, or it was linked
     * before this was recorded.
     */
    linked_by: text().$type<UserId>(),
    /** A flight instructor with restricted privileges (FCL.910.FI). `supervisor_id` is their supervisor. */
    restricted_instructor: integer({ mode: "boolean" }).notNull(),
    supervisor_id: text()
      .$type<PersonId>()
      .references((): AnySQLiteColumn => people.id),
    /** Whether the person gets mails about their own records. A member can also switch them off in their preferences. */
    receives_mails: integer({ mode: "boolean" }).notNull().default(true),
    /** When the person's data was erased. */
    erased_at: text().$type<Instant>(),
    ...stamps,
  },
  (table) => [
    index("people_name").on(table.name, table.id),
    // Also for the public list: most active people are pilots.
    index("people_status").on(table.status, table.name, table.id),
    // In the order of changes, for `updated_since`.
    index("people_flying_updated").on(table.updated_at, table.id).where(isOneOf(table.types_ever, flyingTypes)),
    // Most people are students or pilots: a page of those is soon found among all. If several indexes match, SQLite uses the one
    // created last, so these come last.
    ...(["instructor", "mechanic", "staff"] as const).map((type) =>
      index(`people_${type}`)
        .on(table.name, table.id)
        .where(isOneOf(table.types, [type])),
    ),
    index("people_email").on(table.email),
    index("people_licence").on(table.licence_number).where(sql`${table.licence_number} is not null`),
    index("people_supervisor").on(table.supervisor_id).where(sql`${table.supervisor_id} is not null`),
  ],
);

/**
 * The account and the e-mail address that a person had until one of them was changed; both null if they had neither. Rules
 * read it by `identity.queries.ts`.
 */
export const formerLinks = sqliteTable(
  "former_links",
  {
    person_id: text()
      .$type<PersonId>()
      .notNull()
      .references(() => people.id),
    user_id: text().$type<UserId>(),
    email: text(),
    until: text().$type<Instant>().notNull(),
  },
  (table) => [index("former_links_person").on(table.person_id, table.until)],
);
