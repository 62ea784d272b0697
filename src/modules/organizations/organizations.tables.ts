/** Control database: invites. */
import { sql } from "drizzle-orm";
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { InviteId, OrgId, PersonId, UserId } from "../../core/ids.ts";
import { organizations } from "../../identity/identity.tables.ts";
import type { Role } from "../../identity/roles.ts";

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
