import { conflict, forbidden, notFound, notPermitted } from "../../core/errors.ts";
import type { OrgId, UserId } from "../../core/ids.ts";
import { hasActiveOwner, rolesOf } from "../../identity/memberships.queries.ts";
import { permissionsOf, type Role } from "../../identity/roles.ts";
import type { InOrganization } from "../../storage/context.ts";
import type { Tx } from "../../storage/store.ts";

/**
 * Returns the actor's roles as the transaction sees them. The roles read when the request arrived may be out of date: two
 * members may remove each other at the same time.
 *
 * @throws NOT_FOUND the actor is no longer a member
 */
export async function rolesOfActor(
  tx: Tx<"control">,
  { actor }: Pick<InOrganization, "actor">,
): Promise<readonly Role[]> {
  const held = await rolesOf(tx, actor.orgId, actor.userId);
  if (!held) throw notFound();
  return held;
}

/** Returns whether the `held` roles permit adding and removing the `assigned` roles. */
export const mayAssign = (held: readonly Role[], assigned: readonly Role[]): boolean =>
  permissionsOf(held).has("members:manage") && (held.includes("owner") || !assigned.includes("owner"));

/** @throws FORBIDDEN the `held` roles do not permit adding and removing the `assigned` roles */
export function requireMayAssign(held: readonly Role[], assigned: readonly Role[]): void {
  if (mayAssign(held, assigned)) return;
  if (assigned.includes("owner")) throw forbidden("owner_required", "Only an owner may add or remove owners.");
  throw notPermitted();
}

/** @throws CONFLICT no other member with an enabled account is an owner */
export async function requireAnotherOwner(tx: Tx<"control">, orgId: OrgId, userId: UserId): Promise<void> {
  if (await hasActiveOwner(tx, orgId, userId)) return;
  throw conflict("last_owner", "An organization needs an owner. Make another member an owner first.");
}
