import type { OrgId, UserId } from "../../core/ids.ts";
import { memberships } from "../../identity/identity.tables.ts";
import { isMembership, rolesOf } from "../../identity/memberships.queries.ts";
import { inOrder, type Role } from "../../identity/roles.ts";
import { audit } from "../../storage/audit.ts";
import type { Context } from "../../storage/context.ts";
import type { Tx } from "../../storage/store.ts";
import { insertMembership } from "./insert-membership.ts";

/**
 * Adds the roles to the account's membership, and creates the membership if there is none. Removes no role.
 *
 * @returns all roles of the member
 */
export async function addRoles(
  tx: Tx<"control">,
  context: Pick<Context, "actor" | "requestId">,
  { orgId, userId, roles }: { orgId: OrgId; userId: UserId; roles: readonly Role[] },
): Promise<Role[]> {
  const before = await rolesOf(tx, orgId, userId);
  const after = inOrder([...(before ?? []), ...roles]);
  if (before === undefined) {
    await insertMembership(tx, context, { orgId, userId, roles });
  } else if (after.length > before.length) {
    await tx.update(memberships).set({ roles: after }).where(isMembership(orgId, userId));
    const subject = { kind: "member", id: userId };
    await audit(tx, context, "member.roles_changed", {
      subject,
      orgId,
      before: { roles: before },
      after: { roles: after },
    });
  }
  return after;
}
