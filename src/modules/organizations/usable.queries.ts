import { type SQLWrapper, sql } from "drizzle-orm";
import { memberships, users } from "../../identity/identity.tables.ts";
import { holdsOneOf } from "../../identity/memberships.queries.ts";
import { rolesThatMay } from "../../identity/roles.ts";
import { isSuspended } from "../../identity/suspensions.queries.ts";

/**
 * Matches organizations that somebody can manage now. When the operator suspends an organization, or disables the accounts of a
 * fraud, what it published is public no more.
 */
export const isManaged = (orgId: SQLWrapper) =>
  sql`not ${isSuspended(orgId)} and exists (select 1 from ${memberships} join ${users} on ${users.id} = ${memberships.user_id}
    where ${memberships.org_id} = ${orgId} and ${users.disabled_at} is null
      and ${holdsOneOf(rolesThatMay("organization:manage"))})`;
