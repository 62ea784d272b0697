/** Enabled accounts with a verified address: nobody else gets mails about applications. */
import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { OrgId, UserId } from "../../../core/ids.ts";
import { memberships, users } from "../../../identity/identity.tables.ts";
import { holdsOneOf } from "../../../identity/memberships.queries.ts";
import { rolesThatMay } from "../../../identity/roles.ts";
import type { Reader } from "../../../storage/store.ts";

const isMailable = and(isNull(users.disabled_at), isNotNull(users.email_verified_at));

/** Of one organization. */
const MOST = 20;

/** Returns the addresses of those who manage the organization's marketplace. */
export const managersOf = (reader: Reader<"control">, orgId: OrgId) =>
  reader
    .select({ email: users.email, language: users.language })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.user_id))
    .where(and(eq(memberships.org_id, orgId), isMailable, holdsOneOf(rolesThatMay("marketplace:manage"))))
    .orderBy(users.id)
    .limit(MOST);

export async function mailableAccount(reader: Reader<"control">, userId: UserId) {
  const [account] = await reader
    .select({ email: users.email, language: users.language })
    .from(users)
    .where(and(eq(users.id, userId), isMailable));
  return account;
}
