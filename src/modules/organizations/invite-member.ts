import { and, eq, isNull } from "drizzle-orm";
import { authorize } from "../../core/actor.ts";
import { type Instant, shift } from "../../core/clock.ts";
import { newToken, sha256 } from "../../core/crypto.ts";
import { conflict } from "../../core/errors.ts";
import { type InviteId, newId, type OrgId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { InOrganization } from "../../storage/context.ts";
import type { Tx } from "../../storage/store.ts";
import { findAccount } from "../accounts/users.ts";
import { INVITE_LIFETIME } from "./invites.ts";
import { rolesOf } from "./memberships.queries.ts";
import { invites } from "./organizations.tables.ts";
import { requireMayAssign, rolesOfActor } from "./owners.ts";
import { inOrder, type Role } from "./roles.ts";

export interface NewInvite {
  id: InviteId;
  email: string;
  roles: Role[];
  expires_at: Instant;
  /** Shown this once; only its hash is kept. */
  token: string;
}

/**
 * Invites somebody by e-mail address. An invite to the same address that is still open is withdrawn: a token that was
 * lost on its way is replaced by asking again.
 *
 * @throws FORBIDDEN the actor does not manage members, or invites an owner without being one
 * @throws CONFLICT  they are a member already
 */
export async function inviteMember(
  context: InOrganization,
  { email, roles }: { email: string; roles: readonly Role[] },
): Promise<NewInvite> {
  const { actor, control, clock } = context;
  authorize(actor, "members:manage");
  const { orgId } = actor;
  const token = newToken();
  return control.write(async (tx) => {
    requireMayAssign(await rolesOfActor(tx, context), roles);
    const account = await findAccount(tx, email);
    if (account && (await rolesOf(tx, orgId, account.id))) throw conflict("They are a member already.");
    await withdrawOpen(tx, context, orgId, email);

    const invite = {
      id: newId<"invite">(clock),
      email,
      roles: inOrder(roles),
      expiresAt: shift(tx.now, INVITE_LIFETIME),
    };
    await tx
      .insert(invites)
      .values({ ...invite, orgId, tokenHash: sha256(token), invitedBy: actor.userId, createdAt: tx.now });
    const shown = { id: invite.id, email, roles: invite.roles, expires_at: invite.expiresAt };
    await audit(tx, context, "invite.created", {
      subject: { kind: "invite", id: invite.id },
      orgId,
      after: shown,
    });
    return { ...shown, token };
  });
}

async function withdrawOpen(tx: Tx<"control">, context: InOrganization, orgId: OrgId, email: string): Promise<void> {
  const withdrawn = await tx
    .update(invites)
    .set({ revokedAt: tx.now })
    .where(
      and(eq(invites.orgId, orgId), eq(invites.email, email), isNull(invites.claimedAt), isNull(invites.revokedAt)),
    )
    .returning({ id: invites.id });
  for (const { id } of withdrawn) {
    const after = { organization_id: orgId, revoked_at: tx.now };
    await audit(tx, context, "invite.revoked", { subject: { kind: "invite", id }, orgId, after });
  }
}
