import { authorize } from "../../core/actor.ts";
import type { UserId } from "../../core/ids.ts";
import { memberships } from "../../identity/identity.tables.ts";
import { isMembership } from "../../identity/memberships.queries.ts";
import { inOrder, type Role } from "../../identity/roles.ts";
import { audit } from "../../storage/audit.ts";
import type { InOrganization } from "../../storage/context.ts";
import { requireSteppedUp } from "../accounts/mfa/require-step-up.ts";
import { findMember } from "./organizations.queries.ts";
import type { Member } from "./organizations.shapes.ts";
import { requireAnotherOwner, requireMayAssign, rolesOfActor } from "./owners.ts";

/**
 * Replaces the roles of a member.
 *
 * @throws FORBIDDEN the actor does not manage members, or adds or removes an owner without being an owner
 * @throws STEP_UP_REQUIRED the actor has a second factor and has not verified it recently
 * @throws NOT_FOUND no such member
 * @throws CONFLICT  the change would remove the last owner
 */
export async function changeRoles(
  context: InOrganization,
  { userId, roles }: { userId: UserId; roles: readonly Role[] },
): Promise<Member> {
  const { actor, control } = context;
  authorize(actor, "members:manage");
  const { orgId } = actor;
  const wanted = inOrder(roles);
  return control.write(async (tx) => {
    await requireSteppedUp(tx, actor, tx.now);
    const held = await rolesOfActor(tx, context);
    const before = await findMember(tx, orgId, userId);
    const changed = [...wanted, ...before.roles].filter(
      (role) => !wanted.includes(role) || !before.roles.includes(role),
    );
    requireMayAssign(held, changed);
    if (changed.length === 0) return before;
    if (before.roles.includes("owner") && !wanted.includes("owner")) await requireAnotherOwner(tx, orgId, userId);

    await tx.update(memberships).set({ roles: wanted }).where(isMembership(orgId, userId));
    await audit(tx, context, "member.roles_changed", {
      subject: { kind: "member", id: userId },
      orgId,
      before: { roles: before.roles },
      after: { roles: wanted },
    });
    return findMember(tx, orgId, userId);
  });
}
