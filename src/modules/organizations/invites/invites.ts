/** Invites, as rows of the control database, and what may still happen to one. */
import { and, eq, gt, isNull, ne, type SQL, sql } from "drizzle-orm";
import { days, type Instant } from "../../../core/clock.ts";
import { sha256 } from "../../../core/crypto.ts";
import { conflict, gone, notFound } from "../../../core/errors.ts";
import type { InviteId, OrgId, PersonId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { activeRolesOf } from "../memberships.queries.ts";
import { invites } from "../organizations.tables.ts";
import { mayAssign, requireMayAssign, rolesOfActor } from "../owners.ts";

export const INVITE_LIFETIME = days(7);

/** To join with some roles, or to be a student whose person is in the records already. Neither is found as the other. */
export type InviteKind = "organization" | "student";

export type Invite = typeof invites.$inferSelect;
export type StudentInvite = Invite & { personId: PersonId };

export const inviteStatuses = ["open", "claimed", "revoked", "expired"] as const;
export type InviteStatus = (typeof inviteStatuses)[number];

export function statusOf(
  { claimed_at: claimedAt, revoked_at: revokedAt, expires_at: expiresAt }: Invite,
  now: Instant,
): InviteStatus {
  if (claimedAt !== null) return "claimed";
  if (revokedAt !== null) return "revoked";
  return expiresAt <= now ? "expired" : "open";
}

export const isOfKind = (kind: InviteKind): SQL => sql`(${invites.person_id} is null) = ${kind === "student" ? 0 : 1}`;

/** The organization's own invite. @throws NOT_FOUND */
export async function requireInvite(
  reader: Reader<"control">,
  { orgId, inviteId, kind }: { orgId: OrgId; inviteId: InviteId; kind: InviteKind },
): Promise<Invite> {
  const [invite] = await reader
    .select()
    .from(invites)
    .where(and(eq(invites.id, inviteId), eq(invites.org_id, orgId), isOfKind(kind)));
  if (!invite) throw notFound();
  return invite;
}

/**
 * The invite whose token this is, if it can be claimed.
 *
 * @throws NOT_FOUND no invite has this token, whatever its form
 * @throws CONFLICT  somebody has claimed it
 * @throws GONE      it was revoked, seven days have passed, or whoever made it could not make it today
 */
export async function requireOpenInvite(reader: Reader<"control">, token: string, now: Instant): Promise<Invite> {
  const invite = await inviteOf(reader, token);
  if (!invite || invite.person_id !== null) throw noSuchInvite();
  await requireOpen(reader, invite, now);
  return invite;
}

/** As `requireOpenInvite`, for students. */
export async function requireOpenStudentInvite(
  reader: Reader<"control">,
  token: string,
  now: Instant,
): Promise<StudentInvite> {
  const invite = await inviteOf(reader, token);
  if (!invite || invite.person_id === null) throw noSuchInvite();
  await requireOpen(reader, invite, now);
  return { ...invite, personId: invite.person_id };
}

const noSuchInvite = () => notFound("There is no such invite.");

async function inviteOf(reader: Reader<"control">, token: string): Promise<Invite | undefined> {
  const [invite] = await reader
    .select()
    .from(invites)
    .where(eq(invites.token_hash, sha256(token)));
  return invite;
}

async function requireOpen(reader: Reader<"control">, invite: Invite, now: Instant): Promise<void> {
  const status = statusOf(invite, now);
  if (status === "claimed") throw conflict("invite_claimed", "The invite was already claimed.");
  if (status === "revoked") throw gone("invite_revoked", "The invite was revoked.");
  if (status === "expired") throw gone("invite_expired", "The invite has expired.");
  const roles = await activeRolesOf(reader, invite.org_id, invite.invited_by);
  if (!mayAssign(roles ?? [], invite.roles))
    throw gone("inviter_not_permitted", "The member who made the invite may no longer make it.");
}

/** Whom an invite is for: an address, or the person of a student invite. */
export interface Addressee {
  org_id: OrgId;
  email: string;
  person_id: PersonId | null;
}

/**
 * Withdraws what else is open for the same addressee, so that one token at most leads in: a lost one is replaced by
 * asking again.
 *
 * @throws FORBIDDEN the actor could not have made what is open
 */
export async function withdrawOpen(
  tx: Tx<"control">,
  context: InOrganization,
  { org_id: orgId, email, person_id: personId }: Addressee,
  keep?: InviteId,
): Promise<void> {
  const same =
    personId === null ? and(isNull(invites.person_id), eq(invites.email, email)) : eq(invites.person_id, personId);
  const open = await tx
    .select({ id: invites.id, roles: invites.roles })
    .from(invites)
    .where(
      and(
        eq(invites.org_id, orgId),
        same,
        isNull(invites.claimed_at),
        isNull(invites.revoked_at),
        gt(invites.expires_at, tx.now),
        keep && ne(invites.id, keep),
      ),
    );
  if (open.length === 0) return;
  // As when revoking it: inviting an owner to be a student would otherwise do the same.
  const held = await rolesOfActor(tx, context);
  for (const { id, roles } of open) {
    requireMayAssign(held, roles);
    await tx.update(invites).set({ revoked_at: tx.now }).where(eq(invites.id, id));
    const after = { organization_id: orgId, revoked_at: tx.now };
    await audit(tx, context, "invite.revoked", { subject: { kind: "invite", id }, orgId, after });
  }
}
