import type { z } from "zod";
import { authorize } from "../../../core/actor.ts";
import { newToken } from "../../../core/crypto.ts";
import type { Role } from "../../../identity/roles.ts";
import { requireSteppedUp } from "../../accounts/mfa/require-step-up.ts";
import { requireMayAssign, rolesOfActor } from "../owners.ts";
import { insertInvite, requireNoMember } from "./insert-invite.ts";
import { readInvite } from "./invites.queries.ts";
import type { createdInvite } from "./invites.shapes.ts";
import type { InviterContext } from "./mail-invite.ts";

/** A new invite with its token. */
export type CreatedInvite = z.infer<typeof createdInvite>;

/**
 * Invites an e-mail address. Open invites to the same address are revoked.
 *
 * @throws FORBIDDEN, STEP_UP_REQUIRED as `changeRoles`: the new invite and the revoked invites assign roles
 * @throws CONFLICT  the address belongs to a member
 */
export async function inviteMember(
  context: InviterContext,
  { email, roles }: { email: string; roles: readonly Role[] },
): Promise<CreatedInvite> {
  const { actor, control } = context;
  authorize(actor, "members:manage");
  const { orgId } = actor;
  const token = newToken();
  return control.write(async (tx) => {
    requireMayAssign(await rolesOfActor(tx, context), roles);
    await requireSteppedUp(tx, actor, tx.now);
    await requireNoMember(tx, orgId, email);
    const { id, mailed } = await insertInvite(tx, context, { org_id: orgId, email, person_id: null, roles, token });
    return { ...(await readInvite(tx, id, tx.now)), token, mailed };
  });
}
