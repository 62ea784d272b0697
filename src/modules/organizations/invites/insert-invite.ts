import { shift } from "../../../core/clock.ts";
import { sha256 } from "../../../core/crypto.ts";
import { conflict } from "../../../core/errors.ts";
import { type InviteId, newId, type OrgId } from "../../../core/ids.ts";
import { rolesOf } from "../../../identity/memberships.queries.ts";
import { inOrder, type Role } from "../../../identity/roles.ts";
import { audit } from "../../../storage/audit.ts";
import type { Tx } from "../../../storage/store.ts";
import { findAccount } from "../../accounts/users.ts";
import { invites } from "../organizations.tables.ts";
import { INVITE_LIFETIME, type InviteRecipient, revokeOpenInvites } from "./invites.ts";
import { type InviterContext, mailInvite } from "./mail-invite.ts";

interface NewInvite extends InviteRecipient {
  roles: readonly Role[];
  /** Stored as a hash only. */
  token: string;
}

/** Inserts an invite, revokes the open ones for the same recipient, and mails it. */
export async function insertInvite(
  tx: Tx<"control">,
  context: InviterContext,
  { token, roles, ...recipient }: NewInvite,
): Promise<{ id: InviteId; mailed: boolean }> {
  const { actor, clock } = context;
  await revokeOpenInvites(tx, context, recipient);

  const id = newId<"invite">(clock);
  const invite = { ...recipient, roles: inOrder(roles), expires_at: shift(tx.now, INVITE_LIFETIME) };
  await tx
    .insert(invites)
    .values({ ...invite, id, token_hash: sha256(token), invited_by: actor.userId, created_at: tx.now });
  const { org_id, person_id, ...shown } = invite;
  await audit(tx, context, "invite.created", {
    subject: { kind: "invite", id },
    orgId: org_id,
    after: { id, ...shown, ...(person_id && { person_id }) },
  });
  return { id, mailed: await mailInvite(tx, context, invite, token) };
}

/** @throws CONFLICT the address belongs to a member */
export async function requireNoMember(tx: Tx<"control">, orgId: OrgId, email: string): Promise<void> {
  const account = await findAccount(tx, email);
  if (account && (await rolesOf(tx, orgId, account.id)))
    throw conflict("already_member", "This e-mail address already belongs to a member.");
}
