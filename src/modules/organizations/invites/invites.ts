/** Rows of `invites`: their kinds, their status and the lookup by token. */
import { and, eq, gt, isNull, ne, type SQL, sql } from "drizzle-orm";
import { days, type Instant } from "../../../core/clock.ts";
import { sha256 } from "../../../core/crypto.ts";
import { conflict, gone, notFound } from "../../../core/errors.ts";
import type { InviteId, OrgId, PersonId } from "../../../core/ids.ts";
import { activeRolesOf } from "../../../identity/memberships.queries.ts";
import { suspensionOf } from "../../../identity/suspensions.queries.ts";
import { audit } from "../../../storage/audit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { invites } from "../organizations.tables.ts";
import { mayAssign, requireMayAssign, rolesOfActor } from "../owners.ts";

export const INVITE_LIFETIME = days(7);

/** `organization`: a membership with roles. `student`: a membership linked to a person. A lookup names the kind. */
export type InviteKind = "organization" | "student";

export type Invite = typeof invites.$inferSelect;
export type StudentInvite = Invite & { person_id: PersonId };

export const inviteStatuses = ["open", "claimed", "revoked", "expired"] as const;
export type InviteStatus = (typeof inviteStatuses)[number];

export function statusOf({ claimed_at, revoked_at, expires_at }: Invite, now: Instant): InviteStatus {
  if (claimed_at !== null) return "claimed";
  if (revoked_at !== null) return "revoked";
  return expires_at <= now ? "expired" : "open";
}

export const isOfKind = (kind: InviteKind): SQL => sql`(${invites.person_id} is null) = ${kind === "student" ? 0 : 1}`;

/** Returns an invite of the organization. @throws NOT_FOUND */
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
 * Returns the invite with this token, if it can be claimed.
 *
 * @throws NOT_FOUND no invite has this token, or the token is malformed
 * @throws CONFLICT  it was claimed
 * @throws GONE      it is revoked or expired, or the inviter no longer has the permission to create it, or the organization
 *   is suspended
 */
export async function requireOpenInvite(reader: Reader<"control">, token: string, now: Instant): Promise<Invite> {
  const invite = await inviteOf(reader, token);
  if (!invite || invite.person_id !== null) throw noSuchInvite();
  await requireOpen(reader, invite, now);
  return invite;
}

/** As `requireOpenInvite`, for student invites. */
export async function requireOpenStudentInvite(
  reader: Reader<"control">,
  token: string,
  now: Instant,
): Promise<StudentInvite> {
  const invite = await inviteOf(reader, token);
  if (!invite || invite.person_id === null) throw noSuchInvite();
  await requireOpen(reader, invite, now);
  return { ...invite, person_id: invite.person_id };
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
  // The contract of these routes has no 403.
  if ((await suspensionOf(reader, invite.org_id)) !== undefined)
    throw gone("inviter_not_permitted", "The organization is suspended. The invite can be claimed when it is resumed.");
  const roles = await activeRolesOf(reader, invite.org_id, invite.invited_by);
  if (!mayAssign(roles ?? [], invite.roles))
    throw gone("inviter_not_permitted", "The inviter no longer has the permission for this invite. Ask for a new one.");
}

/** The recipient of an invite: an address, or the person of a student invite. */
export interface InviteRecipient {
  org_id: OrgId;
  email: string;
  person_id: PersonId | null;
}

/**
 * Revokes the other open invites for the same recipient, so that at most one token is valid.
 *
 * @throws FORBIDDEN the actor may not assign the roles of an open invite
 */
export async function revokeOpenInvites(
  tx: Tx<"control">,
  context: InOrganization,
  { org_id, email, person_id }: InviteRecipient,
  except?: InviteId,
): Promise<void> {
  const sameRecipient =
    person_id === null ? and(isNull(invites.person_id), eq(invites.email, email)) : eq(invites.person_id, person_id);
  const open = await tx
    .select({ id: invites.id, roles: invites.roles })
    .from(invites)
    .where(
      and(
        eq(invites.org_id, org_id),
        sameRecipient,
        isNull(invites.claimed_at),
        isNull(invites.revoked_at),
        gt(invites.expires_at, tx.now),
        except && ne(invites.id, except),
      ),
    );
  if (open.length === 0) return;
  // As in `revokeInvite`: otherwise a new invite would revoke one that the actor may not revoke.
  const held = await rolesOfActor(tx, context);
  for (const { id, roles } of open) {
    requireMayAssign(held, roles);
    await tx.update(invites).set({ revoked_at: tx.now }).where(eq(invites.id, id));
    const after = { organization_id: org_id, revoked_at: tx.now };
    await audit(tx, context, "invite.revoked", { subject: { kind: "invite", id }, orgId: org_id, after });
  }
}
