/** Invites, as rows of the control database, and what may still happen to one. */
import { eq } from "drizzle-orm";
import { days, type Instant } from "../../core/clock.ts";
import { sha256 } from "../../core/crypto.ts";
import { conflict, gone, notFound } from "../../core/errors.ts";
import type { Reader } from "../../storage/store.ts";
import { rolesOf } from "./memberships.queries.ts";
import { invites } from "./organizations.tables.ts";
import { mayAssign } from "./owners.ts";

export const INVITE_LIFETIME = days(7);

export type Invite = typeof invites.$inferSelect;

/**
 * The invite whose token this is, if it can be claimed.
 *
 * @throws NOT_FOUND no invite has this token, whatever its form
 * @throws CONFLICT  somebody has claimed it
 * @throws GONE      it was revoked, seven days have passed, or whoever made it could not make it today
 */
export async function requireOpenInvite(reader: Reader<"control">, token: string, now: Instant): Promise<Invite> {
  const [invite] = await reader
    .select()
    .from(invites)
    .where(eq(invites.tokenHash, sha256(token)));
  if (!invite) throw notFound("There is no such invite.");
  if (invite.claimedAt !== null) throw conflict("The invite has been used.");
  if (invite.revokedAt !== null) throw gone("The invite has been withdrawn.");
  if (invite.expiresAt <= now) throw gone("The invite has expired.");
  const inviter = (await rolesOf(reader, invite.orgId, invite.invitedBy)) ?? [];
  if (!mayAssign(inviter, invite.roles)) throw gone("Whoever made the invite may no longer do so.");
  return invite;
}
