/** Control database: the directory. Its entries are copies of what the tenants publish; their moderation is its own. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { OrgId } from "../../core/ids.ts";
import { organizationKinds, organizations } from "../../identity/identity.tables.ts";
import { entryTypes } from "./entry-types.ts";

/** Only `published` entries are public. The others are `hidden` or `suspended` until a moderator changes that. */
export const entryStatuses = ["published", "hidden", "suspended"] as const;

/** A literal, since SQLite uses a partial index only for one. */
export const isPublic = sql.raw("listed = 1 and status = 'published'");

export const directoryEntries = sqliteTable(
  "directory_entries",
  {
    /** Declared, because `directory_words` refers to it: `VACUUM` keeps a declared one only. */
    rowid: integer().primaryKey(),
    /** The organization's, the person's or the aircraft's. */
    id: text().notNull().unique(),
    type: text({ enum: entryTypes }).notNull(),
    org_id: text()
      .$type<OrgId>()
      .notNull()
      .references(() => organizations.id),
    /** Whether the tenant publishes it. If not, the row is kept without its fields, for its moderation. */
    listed: integer({ mode: "boolean" }).notNull(),
    status: text({ enum: entryStatuses }).notNull(),
    featured: integer({ mode: "boolean" }).notNull(),
    sort_priority: integer().notNull(),
    /** Orders the lists: featured ones first, then by priority. See `rankOf`. */
    rank: integer().notNull(),
    name: text().notNull(),
    headline: text(),
    description: text(),
    website: text(),
    email: text(),
    phone: text(),
    languages: text({ mode: "json" }).$type<string[]>(),
    place: text(),
    country: text(),
    /** Millionths of a degree. */
    latitude: integer(),
    longitude: integer(),
    kind: text({ enum: organizationKinds }),
    approval_number: text(),
    authority: text(),
    ratings: text({ mode: "json" }).$type<string[]>(),
    registration: text(),
    icao_type: text(),
    class: text(),
    seats: integer(),
    hourly_rate_minor: integer(),
    currency: text(),
    updated_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    index("directory_entries_list").on(table.type, table.rank, table.name, table.id).where(isPublic),
    index("directory_entries_country").on(table.type, table.country, table.rank, table.name, table.id).where(isPublic),
    index("directory_entries_place").on(table.type, table.place, table.rank, table.name, table.id).where(isPublic),
    index("directory_entries_class").on(table.type, table.class, table.rank, table.name, table.id).where(isPublic),
    index("directory_entries_coordinates").on(table.type, table.latitude, table.longitude, table.id).where(isPublic),
    index("directory_entries_moderation").on(table.type, table.status, table.id),
    index("directory_entries_organization").on(table.org_id),
  ],
);

/**
 * The words of the entries that tenants publish, for the search by text. A table with an index, not FTS5: its rows are
 * overwritten when they are deleted (`secure_delete`), and its schema is generated like that of every other table.
 */
export const directoryWords = sqliteTable(
  "directory_words",
  {
    entry: integer()
      .notNull()
      .references(() => directoryEntries.rowid),
    /** In lower case without accents; or `=` and a rating. */
    word: text().notNull(),
    type: text({ enum: entryTypes }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.entry, table.word] }),
    index("directory_words_word").on(table.type, table.word, table.entry),
  ],
);
