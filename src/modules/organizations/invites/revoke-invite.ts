import { eq } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { wrongStatus } from "../../../core/errors.ts";
import type { InviteId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { invites } from "../organizations.tables.ts";
import { requireMayAssign, rolesOfActor } from "../owners.ts";
import { type InviteKind, requireInvite, statusOf } from "./invites.ts";

export interface InviteRef {
  inviteId: InviteId;
  kind: InviteKind;
}

/**
 * Revokes an open invite: its token becomes invalid.
 *
 * @throws FORBIDDEN the actor may not create such an invite
 * @throws NOT_FOUND no such invite of that kind in the organization
 * @throws CONFLICT  it is claimed, revoked or expired
 */
export async function revokeInvite(context: InOrganization, { inviteId, kind }: InviteRef): Promise<void> {
  const { actor, control } = context;
  authorize(actor, "members:manage");
  const { orgId } = actor;
  await control.write(async (tx) => {
    const held = await rolesOfActor(tx, context);
    const invite = await requireInvite(tx, { orgId, inviteId, kind });
    requireMayAssign(held, invite.roles);
    const status = statusOf(invite, tx.now);
    if (status !== "open") throw wrongStatus("invite", status, "open");

    await tx.update(invites).set({ revoked_at: tx.now }).where(eq(invites.id, inviteId));
    await audit(tx, context, "invite.revoked", {
      subject: { kind: "invite", id: inviteId },
      orgId,
      after: { organization_id: orgId, revoked_at: tx.now },
    });
  });
}
