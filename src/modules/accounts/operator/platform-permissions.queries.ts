import { asc, eq } from "drizzle-orm";
import { notPermitted } from "../../../core/errors.ts";
import type { UserId } from "../../../core/ids.ts";
import type { PlatformPermission } from "../../../core/permissions.ts";
import { users } from "../../../identity/identity.tables.ts";
import type { Reader } from "../../../storage/store.ts";
import { platformPermissions } from "../accounts.tables.ts";

/** Returns the account's permissions for the whole installation. Empty for most accounts. */
export async function platformPermissionsOf(
  reader: Reader<"control">,
  userId: UserId,
): Promise<ReadonlySet<PlatformPermission>> {
  const { permission } = platformPermissions;
  const rows = await reader
    .select({ permission })
    .from(platformPermissions)
    .where(eq(platformPermissions.user_id, userId));
  return new Set(rows.map((row) => row.permission));
}

/** @throws FORBIDDEN the account lacks the permission */
export async function requirePlatformPermission(
  reader: Reader<"control">,
  userId: UserId,
  permission: PlatformPermission,
): Promise<void> {
  if (!(await platformPermissionsOf(reader, userId)).has(permission)) throw notPermitted();
}

/** Lists the accounts with a permission for the whole installation, by e-mail address. */
export const listPlatformAdmins = (reader: Reader<"control">) =>
  reader
    .select({
      email: users.email,
      permission: platformPermissions.permission,
      granted_at: platformPermissions.granted_at,
      disabled_at: users.disabled_at,
      email_verified_at: users.email_verified_at,
    })
    .from(platformPermissions)
    .innerJoin(users, eq(users.id, platformPermissions.user_id))
    .orderBy(asc(users.email), asc(platformPermissions.permission));
