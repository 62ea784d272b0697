/** Control database: organizations, memberships and invites. */
import { sql } from "drizzle-orm";
import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { InviteId, OrgId, PersonId, UserId } from "../../core/ids.ts";
import { stamps } from "../../storage/stamps.ts";
import { users } from "../accounts/accounts.tables.ts";
import type { Role } from "./roles.ts";

export const organizationKinds = ["ato", "dto", "club"] as const;

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

export const memberships = sqliteTable(
  "memberships",
  {
    org_id: text()
      .$type<OrgId>()
      .notNull()
      .references(() => organizations.id),
    user_id: text()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
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
    org_id: text()
      .$type<OrgId>()
      .notNull()
      .references(() => organizations.id),
    user_id: text()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    until: text().$type<Instant>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.org_id, table.user_id] }),
    index("former_memberships_user").on(table.user_id),
  ],
);

/** `pending` includes expired invites: an index cannot depend on the time. An indexed expression must not name the table. */
export const inviteState = sql.raw(
  "case when claimed_at is not null then 'claimed' when revoked_at is not null then 'revoked' else 'pending' end",
);

export const invites = sqliteTable(
  "invites",
  {
    id: text().$type<InviteId>().primaryKey(),
    org_id: text()
      .$type<OrgId>()
      .notNull()
      .references(() => organizations.id),
    email: text().notNull(),
    roles: text({ mode: "json" }).$type<Role[]>().notNull(),
    /** The person whose account the claimant becomes. Only student invites have one. */
    person_id: text().$type<PersonId>(),
    /** SHA-256 of the token. The token itself is shown once. */
    token_hash: text().notNull().unique(),
    invited_by: text().$type<UserId>().notNull(),
    created_at: text().$type<Instant>().notNull(),
    expires_at: text().$type<Instant>().notNull(),
    claimed_at: text().$type<Instant>(),
    claimed_by: text().$type<UserId>(),
    revoked_at: text().$type<Instant>(),
  },
  (table) => [
    index("invites_list").on(table.org_id, sql`person_id is null`, table.id),
    index("invites_state").on(table.org_id, sql`person_id is null`, inviteState, table.id),
    index("invites_person").on(table.person_id).where(sql`person_id is not null`),
    index("invites_email").on(table.email).where(sql`claimed_at is null`),
    index("invites_claimed_by").on(table.claimed_by).where(sql`claimed_by is not null`),
  ],
);
