import { type SQLWrapper, sql } from "drizzle-orm";
import { memberships, users } from "../../identity/identity.tables.ts";
import { holdsOneOf } from "../../identity/memberships.queries.ts";
import { rolesThatMay } from "../../identity/roles.ts";

/**
 * Matches organizations that somebody can still manage. Nothing ends an organization but the end of its accounts: the
 * operator disables the accounts of a fraud, and then what it published is public no more.
 */
export const isManaged = (orgId: SQLWrapper) =>
  sql`exists (select 1 from ${memberships} join ${users} on ${users.id} = ${memberships.user_id}
    where ${memberships.org_id} = ${orgId} and ${users.disabled_at} is null
      and ${holdsOneOf(rolesThatMay("organization:manage"))})`;
