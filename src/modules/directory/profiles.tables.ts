/** Tenant database: what a school publishes in the directory. */
import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { DirectoryProfileId, UserId } from "../../core/ids.ts";
import { stamps } from "../../storage/stamps.ts";
import { entryTypes } from "./entry-types.ts";

export const directoryProfiles = sqliteTable(
  "directory_profiles",
  {
    id: text().$type<DirectoryProfileId>().primaryKey(),
    type: text({ enum: entryTypes }).notNull(),
    /** The organization, the person or the aircraft. */
    subject_id: text().notNull(),
    published: integer({ mode: "boolean" }).notNull(),
    /** The fields that leave the school, besides the name. */
    fields: text({ mode: "json" }).$type<string[]>().notNull(),
    headline: text(),
    description: text(),
    website: text(),
    email: text(),
    phone: text(),
    /** ISO 639-1, two letters each. */
    languages: text({ mode: "json" }).$type<string[]>().notNull(),
    /** ICAO location indicator. */
    place: text(),
    /** ISO 3166-1, two letters. */
    country: text(),
    /** Millionths of a degree. */
    latitude: integer(),
    longitude: integer(),
    /** The account of the instructor who consented to the present fields and texts; it counts while it is the person's. */
    consented_by: text().$type<UserId>(),
    consented_at: text().$type<Instant>(),
    ...stamps,
  },
  (table) => [uniqueIndex("directory_profiles_subject").on(table.type, table.subject_id)],
);
