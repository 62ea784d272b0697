import { and, asc, eq, isNull } from "drizzle-orm";
import type { OrgId } from "../../../core/ids.ts";
import { memberships, users } from "../../../identity/identity.tables.ts";
import { holdsOneOf } from "../../../identity/memberships.queries.ts";
import type { Reader } from "../../../storage/store.ts";

export type Owner = Awaited<ReturnType<typeof ownersOf>>[number];

/** Lists the owners with enabled accounts. */
export const ownersOf = (reader: Reader<"control">, orgId: OrgId) =>
  reader
    .select({ user_id: users.id, email: users.email, language: users.language })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.user_id))
    .where(and(eq(memberships.org_id, orgId), isNull(users.disabled_at), holdsOneOf(["owner"])))
    .orderBy(asc(users.email));
