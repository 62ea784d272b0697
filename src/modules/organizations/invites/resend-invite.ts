import { eq } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { shift } from "../../../core/clock.ts";
import { newToken, sha256 } from "../../../core/crypto.ts";
import { conflict, wrongStatus } from "../../../core/errors.ts";
import { audit } from "../../../storage/audit.ts";
import { requireSteppedUp } from "../../accounts/mfa/require-step-up.ts";
import { findLinkable } from "../../people/link-account.ts";
import { invites } from "../organizations.tables.ts";
import { requireMayAssign, rolesOfActor } from "../owners.ts";
import { requireNoMember } from "./insert-invite.ts";
import { requireInvitable } from "./invite-student.ts";
import { INVITE_LIFETIME, requireInvite, revokeOpenInvites, statusOf } from "./invites.ts";
import { type InviterContext, mailInvite } from "./mail-invite.ts";
import type { InviteRef } from "./revoke-invite.ts";

/**
 * Replaces the token of an open or expired invite; the new one is valid for seven days. The actor becomes the inviter.
 *
 * @returns the token, and whether it was mailed
 * @throws FORBIDDEN, STEP_UP_REQUIRED the actor may not create such an invite
 * @throws NOT_FOUND no such invite of that kind in the organization
 * @throws CONFLICT  it is claimed or revoked, or it could not be created now
 */
export async function resendInvite(
  context: InviterContext,
  { inviteId, kind }: InviteRef,
): Promise<{ token: string; mailed: boolean }> {
  const { actor, control } = context;
  authorize(actor, "members:manage");
  const { orgId } = actor;
  if (kind === "student") await requireStillInvitable(context, { inviteId, kind });
  const token = newToken();
  return control.write(async (tx) => {
    const held = await rolesOfActor(tx, context);
    const invite = await requireInvite(tx, { orgId, inviteId, kind });
    requireMayAssign(held, invite.roles);
    if (kind === "organization") await requireSteppedUp(tx, actor, tx.now);
    const status = statusOf(invite, tx.now);
    if (status === "claimed" || status === "revoked") throw wrongStatus("invite", status, "open");
    if (kind === "organization") await requireNoMember(tx, orgId, invite.email);
    await revokeOpenInvites(tx, context, invite, inviteId);

    const after = { expires_at: shift(tx.now, INVITE_LIFETIME), invited_by: actor.userId };
    await tx
      .update(invites)
      .set({ token_hash: sha256(token), ...after })
      .where(eq(invites.id, inviteId));
    await audit(tx, context, "invite.resent", {
      subject: { kind: "invite", id: inviteId },
      orgId,
      before: { expires_at: invite.expires_at, invited_by: invite.invited_by },
      after,
    });
    return { token, mailed: await mailInvite(tx, context, { ...invite, ...after }, token) };
  });
}

async function requireStillInvitable({ actor, control, tenant }: InviterContext, ref: InviteRef): Promise<void> {
  const { person_id, email } = await control.read((reader) => requireInvite(reader, { orgId: actor.orgId, ...ref }));
  const person = person_id && (await tenant.read((reader) => findLinkable(reader, person_id)));
  if (!person) throw conflict("person_deleted", "The person was deleted.");
  await requireInvitable({ control, tenant }, person, email);
}
