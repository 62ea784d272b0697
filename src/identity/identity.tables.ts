/** Control database: accounts, organizations, and who belongs to which. Every module may read them. */
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import type { OrgId, UserId } from "../core/ids.ts";
import { languages } from "../core/languages.ts";
import { stamps } from "../storage/stamps.ts";
import type { Role } from "./roles.ts";

/** Written by the module accounts. */
export const users = sqliteTable("users", {
  id: text().$type<UserId>().primaryKey(),
  /** Trimmed and in lower case; unique among all accounts. */
  email: text().notNull().unique(),
  /** When the ownership of the address was verified. */
  email_verified_at: text().$type<Instant>(),
  name: text().notNull(),
  /** Argon2id in PHC format, with its parameters. Null for an account that signs in through providers only. */
  password_hash: text(),
  /** Of mails to the account. */
  language: text({ enum: languages }).notNull().default("en"),
  disabled_at: text().$type<Instant>(),
  created_at: text().$type<Instant>().notNull(),
});

export const organizationKinds = ["ato", "dto", "club"] as const;

/** Written by the module organizations, as are memberships. */
export const organizations = sqliteTable("organizations", {
  id: text().$type<OrgId>().primaryKey(),
  name: text().notNull(),
  /** Approved training organization, declared training organization, or a club without training. */
  kind: text({ enum: organizationKinds }).notNull(),
  /** As the competent authority wrote it, for example DE.ATO.123. */
  approval_number: text(),
  authority: text(),
  home_icao: text(),
  /** IANA name. Legal dates and months are in this zone. */
  time_zone: text().notNull(),
  /** ISO 4217. */
  currency: text().notNull(),
  ...stamps,
});

/**
 * Organizations that the operator has suspended: neither their members nor their programs are served. An organization that is to be
 * removed is suspended until then. Written by the module organizations.
 */
export const suspensions = sqliteTable("suspensions", {
  org_id: text()
    .$type<OrgId>()
    .primaryKey()
    .references(() => organizations.id),
  reason: text().notNull(),
  suspended_at: text().$type<Instant>().notNull(),
  /** When the organization is removed with its records; null: never. */
  removal_at: text().$type<Instant>(),
  /** Whether it may be removed without a last backup. */
  without_backup: integer({ mode: "boolean" }).notNull().default(false),
  /** From then on nothing takes the removal back. */
  removal_began_at: text().$type<Instant>(),
  /** The last backup, once the removal has begun: its path. Null: there is none. */
  backup: text(),
});

/** An account in an organization. */
const ofAccount = () => ({
  org_id: text()
    .$type<OrgId>()
    .notNull()
    .references(() => organizations.id),
  user_id: text()
    .$type<UserId>()
    .notNull()
    .references(() => users.id),
});

export const memberships = sqliteTable(
  "memberships",
  {
    ...ofAccount(),
    /** At least one. */
    roles: text({ mode: "json" }).$type<Role[]>().notNull(),
    created_at: text().$type<Instant>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.org_id, table.user_id] }), index("memberships_user").on(table.user_id)],
);

/** Memberships that ended. Who left an organization for a minute has its interests still. */
export const formerMemberships = sqliteTable(
  "former_memberships",
  {
    ...ofAccount(),
    until: text().$type<Instant>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.org_id, table.user_id] }),
    index("former_memberships_user").on(table.user_id),
  ],
);
