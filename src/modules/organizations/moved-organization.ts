/** An organization with its members and invites, when it moves to another installation. */
import { and, asc, eq, isNull } from "drizzle-orm";
import { z } from "zod";
import { shift } from "../../core/clock.ts";
import { newToken, sha256 } from "../../core/crypto.ts";
import { newId, type UserId } from "../../core/ids.ts";
import { email, idOf } from "../../http/fields.ts";
import {
  formerMemberships,
  memberships,
  organizationKinds,
  organizations,
  users,
} from "../../identity/identity.tables.ts";
import { inOrder, roles } from "../../identity/roles.ts";
import { audit } from "../../storage/audit.ts";
import { addRow } from "../../storage/entity.ts";
import { type Adoption, movedData, movedInstant } from "../../storage/moved-data.ts";
import { keepWords } from "../../storage/search-words.ts";
import type { Tx } from "../../storage/store.ts";
import { INVITE_LIFETIME } from "./invites/invites.ts";
import { memberWords, organizationEntity } from "./organizations.queries.ts";
import { invites } from "./organizations.tables.ts";

const heldRoles = z
  .array(z.enum(roles))
  .min(1)
  .transform((held) => inOrder(held));
const userId = idOf<"user">();
const stamps = { created_at: movedInstant, updated_at: movedInstant };

const Organization = z.object({
  name: z.string(),
  kind: z.enum(organizationKinds),
  approval_number: z.string().nullable(),
  authority: z.string().nullable(),
  home_icao: z.string().nullable(),
  time_zone: z.string(),
  currency: z.string(),
  ...stamps,
});

const Invite = z.object({
  id: idOf<"invite">(),
  email,
  roles: heldRoles,
  person_id: idOf<"person">().nullable(),
  token_hash: z.string(),
  invited_by: userId,
  created_at: movedInstant,
  expires_at: movedInstant,
  claimed_at: movedInstant.nullable(),
  claimed_by: userId.nullable(),
  revoked_at: movedInstant.nullable(),
});

const Moved = z.object({
  organization: Organization,
  members: z.array(z.object({ user_id: userId, roles: heldRoles, created_at: movedInstant })),
  former_members: z.array(z.object({ user_id: userId, until: movedInstant })),
  invites: z.array(Invite),
});
export type MovedOrganization = z.infer<typeof Moved>;

export const movedOrganization = movedData({
  name: "organizations",
  schema: Moved,
  async take(reader, { orgId }) {
    const [row] = await reader.select().from(organizations).where(eq(organizations.id, orgId));
    if (row === undefined) throw new Error("The organization has no row.");
    const { id: _, ...organization } = row;
    const own = <Row extends { org_id: unknown }>(rows: readonly Row[]) => rows.map(({ org_id: _, ...rest }) => rest);
    return {
      organization,
      members: own(await reader.select().from(memberships).where(eq(memberships.org_id, orgId))),
      former_members: own(await reader.select().from(formerMemberships).where(eq(formerMemberships.org_id, orgId))),
      invites: own(await reader.select().from(invites).where(eq(invites.org_id, orgId))),
    };
  },
  async put(tx, moved, adoption) {
    const { orgId } = adoption;
    const row = { id: orgId, ...moved.organization };
    await addRow(tx, adoption, organizationEntity, { action: "organization.created", orgId, row });
    for (const member of moved.members) await putMember(tx, member, adoption);
    for (const former of moved.former_members) {
      const [account] = await tx.select({ id: users.id }).from(users).where(eq(users.id, former.user_id));
      if (account) await tx.insert(formerMemberships).values({ ...former, org_id: orgId });
    }
    const invited: (typeof invites.$inferInsert)[] = moved.invites.map((invite) => ({ ...invite, org_id: orgId }));
    for (const invite of invited) await tx.insert(invites).values(invite).onConflictDoNothing();
  },
});

/**
 * A member whose account was made here, or is here with the same id, is a member at once. Another account with the same address
 * is not taken for the member's: it is invited, and joins when its owner agrees.
 */
async function putMember(
  tx: Tx<"control">,
  { user_id, roles, created_at }: MovedOrganization["members"][number],
  adoption: Adoption,
): Promise<void> {
  const { orgId, accounts, invited } = adoption;
  const account = accounts.get(user_id);
  if (account === undefined) return;
  if (account.state === "other") return void invited.push({ email: account.email, roles });
  await tx.insert(memberships).values({ org_id: orgId, user_id, roles, created_at });
  await keepWords(tx, memberWords, [user_id], orgId);
  const subject = { kind: "member", id: user_id };
  await audit(tx, adoption, "member.added", { subject, orgId, after: { roles } });
}

/**
 * Invites those whose account is another one, in the name of an owner.
 *
 * @returns their tokens, for the operator
 */
export async function inviteMoved(tx: Tx<"control">, adoption: Adoption): Promise<{ email: string; token: string }[]> {
  const { orgId, clock, invited } = adoption;
  const [owner] = await activeOwners(tx, adoption);
  if (owner === undefined) return [];
  const made: { email: string; token: string }[] = [];
  for (const { email, roles: held } of invited) {
    const [id, token] = [newId<"invite">(clock), newToken()];
    const invite = { email, roles: heldRoles.parse(held), expires_at: shift(tx.now, INVITE_LIFETIME) };
    const hidden = { token_hash: sha256(token), invited_by: owner, person_id: null, created_at: tx.now };
    const row: typeof invites.$inferInsert = { ...invite, ...hidden, id, org_id: orgId };
    await tx.insert(invites).values(row);
    const subject = { kind: "invite", id };
    await audit(tx, adoption, "invite.created", { subject, orgId, after: { id, ...invite } });
    made.push({ email, token });
  }
  return made;
}

/** Returns the owners who can act here, the first that joined first. */
export async function activeOwners(tx: Tx<"control">, { orgId }: Pick<Adoption, "orgId">): Promise<UserId[]> {
  const rows = await tx
    .select({ id: memberships.user_id, roles: memberships.roles })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.user_id))
    .where(and(eq(memberships.org_id, orgId), isNull(users.disabled_at)))
    .orderBy(asc(memberships.created_at), asc(memberships.user_id));
  return rows.filter(({ roles }) => roles.includes("owner")).map(({ id }) => id);
}
