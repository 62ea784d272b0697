import { authorize } from "../../core/actor.ts";
import type { UserId } from "../../core/ids.ts";
import { formerMemberships, memberships } from "../../identity/identity.tables.ts";
import { isMembership } from "../../identity/memberships.queries.ts";
import { audit } from "../../storage/audit.ts";
import type { InOrganization } from "../../storage/context.ts";
import { announce } from "../../storage/occasions.ts";
import { keepWords } from "../../storage/search-words.ts";
import { requireSteppedUp } from "../accounts/mfa/require-step-up.ts";
import { memberLeft } from "./organizations.occasions.ts";
import { findMember, memberWords } from "./organizations.queries.ts";
import type { Member } from "./organizations.shapes.ts";
import { requireAnotherOwner, requireMayAssign, rolesOfActor } from "./owners.ts";

/**
 * Deletes a membership. The account and its data stay; its entry in the directory ends. Every member may remove
 * themself; removing another member requires the permission.
 *
 * @returns the removed member
 * @throws FORBIDDEN the actor does not manage members, or removes an owner without being an owner
 * @throws STEP_UP_REQUIRED the actor removes another member, has a second factor and has not verified it recently
 * @throws NOT_FOUND no such member
 * @throws CONFLICT  the member is the last owner
 */
export async function removeMember(context: InOrganization, { userId }: { userId: UserId }): Promise<Member> {
  const { actor, control, requestId } = context;
  const { orgId } = actor;
  const leaves = userId === actor.userId;
  if (!leaves) authorize(actor, "members:manage");
  return control.write(async (tx) => {
    if (!leaves) await requireSteppedUp(tx, actor, tx.now);
    const held = await rolesOfActor(tx, context);
    const removed = await findMember(tx, orgId, userId);
    if (!leaves) requireMayAssign(held, removed.roles);
    if (removed.roles.includes("owner")) await requireAnotherOwner(tx, orgId, userId);

    await tx.delete(memberships).where(isMembership(orgId, userId));
    await keepWords(tx, memberWords, [userId], orgId);
    const former = { org_id: orgId, user_id: userId, until: tx.now };
    await tx
      .insert(formerMemberships)
      .values(former)
      .onConflictDoUpdate({ target: [formerMemberships.org_id, formerMemberships.user_id], set: { until: tx.now } });
    await audit(tx, context, leaves ? "member.left" : "member.removed", {
      subject: { kind: "member", id: userId },
      orgId,
      before: { roles: removed.roles },
    });
    await announce(tx, memberLeft, { orgId, userId, requestId });
    return removed;
  });
}
