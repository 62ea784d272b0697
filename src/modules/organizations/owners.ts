/** The rules about owners: an organization always has one who can act, and only owners make or unmake owners. */
import { and, asc, eq } from "drizzle-orm";
import { conflict, forbidden, notFound, notPermitted } from "../../core/errors.ts";
import type { OrgId, UserId } from "../../core/ids.ts";
import type { InOrganization } from "../../storage/context.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import { hasActiveOwner, holdsOneOf, rolesOf } from "./memberships.queries.ts";
import { memberships, organizations } from "./organizations.tables.ts";
import { permissionsOf, type Role } from "./roles.ts";

/**
 * What the actor holds as the transaction sees it: two members may be removing each other at this very moment, and what
 * was looked up when the request came in is then out of date.
 *
 * @throws NOT_FOUND the actor is not a member any more
 */
export async function rolesOfActor(
  tx: Tx<"control">,
  { actor }: Pick<InOrganization, "actor">,
): Promise<readonly Role[]> {
  const held = await rolesOf(tx, actor.orgId, actor.userId);
  if (!held) throw notFound();
  return held;
}

/** Whether somebody who holds these roles may give others to members, or take them away. */
export const mayAssign = (held: readonly Role[], assigned: readonly Role[]): boolean =>
  permissionsOf(held).has("members:manage") && (held.includes("owner") || !assigned.includes("owner"));

/** @throws FORBIDDEN the actor may not give these roles to members, or take them away */
export function requireMayAssign(held: readonly Role[], assigned: readonly Role[]): void {
  if (mayAssign(held, assigned)) return;
  if (assigned.includes("owner")) throw forbidden("owner_required", "Only an owner may add or remove owners.");
  throw notPermitted();
}

/** The organizations of somebody in which nobody could act as owner just now: their names, in order. */
export async function organizationsLeftWithoutOwner(reader: Reader<"control">, userId: UserId): Promise<string[]> {
  const owned = await reader
    .select({ org_id: memberships.org_id, name: organizations.name })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.org_id))
    .where(and(eq(memberships.user_id, userId), holdsOneOf(["owner"])))
    .orderBy(asc(organizations.name));
  const ownerless: string[] = [];
  for (const { org_id: orgId, name } of owned) if (!(await hasActiveOwner(reader, orgId))) ownerless.push(name);
  return ownerless;
}

/** @throws CONFLICT nobody else could act as owner: those whose account is disabled don't count */
export async function requireAnotherOwner(tx: Tx<"control">, orgId: OrgId, userId: UserId): Promise<void> {
  if (await hasActiveOwner(tx, orgId, userId)) return;
  throw conflict("last_owner", "An organization needs an owner. Make another member an owner first.");
}
