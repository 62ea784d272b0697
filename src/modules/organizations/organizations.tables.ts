/** Control database: the organizations, who belongs to them, and who is invited to. */
import { sql } from "drizzle-orm";
import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { InviteId, OrgId, PersonId, UserId } from "../../core/ids.ts";
import { users } from "../accounts/accounts.tables.ts";
import type { Role } from "./roles.ts";

export const organizationKinds = ["ato", "dto", "club"] as const;

export const organizations = sqliteTable("organizations", {
  id: text().$type<OrgId>().primaryKey(),
  name: text().notNull(),
  /** Approved training organization, declared training organization, or a club that trains nobody. */
  kind: text({ enum: organizationKinds }).notNull(),
  /** As the competent authority wrote it, for example DE.ATO.123. */
  approvalNumber: text("approval_number"),
  authority: text(),
  homeIcao: text("home_icao"),
  /** IANA name: what a date or a month means here. */
  timeZone: text("time_zone").notNull(),
  /** ISO 4217. */
  currency: text().notNull(),
  createdAt: text("created_at").$type<Instant>().notNull(),
  updatedAt: text("updated_at").$type<Instant>().notNull(),
});

export const memberships = sqliteTable(
  "memberships",
  {
    orgId: text("org_id")
      .$type<OrgId>()
      .notNull()
      .references(() => organizations.id),
    userId: text("user_id")
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    /** At least one. */
    roles: text({ mode: "json" }).$type<Role[]>().notNull(),
    createdAt: text("created_at").$type<Instant>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.userId] }), index("memberships_user").on(table.userId)],
);

/** `pending` until the moment it expires, which no index knows. An expression of an index names no table. */
export const inviteState = sql.raw(
  "case when claimed_at is not null then 'claimed' when revoked_at is not null then 'revoked' else 'pending' end",
);

export const invites = sqliteTable(
  "invites",
  {
    id: text().$type<InviteId>().primaryKey(),
    orgId: text("org_id")
      .$type<OrgId>()
      .notNull()
      .references(() => organizations.id),
    email: text().notNull(),
    roles: text({ mode: "json" }).$type<Role[]>().notNull(),
    /** The person record that whoever claims the invite is bound to: a student invite has one, others don't. */
    personId: text("person_id").$type<PersonId>(),
    /** SHA-256 of the whole token, which is shown once. */
    tokenHash: text("token_hash").notNull().unique(),
    invitedBy: text("invited_by").$type<UserId>().notNull(),
    createdAt: text("created_at").$type<Instant>().notNull(),
    expiresAt: text("expires_at").$type<Instant>().notNull(),
    claimedAt: text("claimed_at").$type<Instant>(),
    claimedBy: text("claimed_by").$type<UserId>(),
    revokedAt: text("revoked_at").$type<Instant>(),
  },
  (table) => [
    index("invites_list").on(table.orgId, sql`person_id is null`, table.id),
    index("invites_state").on(table.orgId, sql`person_id is null`, inviteState, table.id),
  ],
);
