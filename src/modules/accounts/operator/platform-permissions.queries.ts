import { asc, eq } from "drizzle-orm";
import type { UserId } from "../../../core/ids.ts";
import type { PlatformPermission } from "../../../core/permissions.ts";
import type { Reader } from "../../../storage/store.ts";
import { platformPermissions, users } from "../accounts.tables.ts";

/** What somebody may do for the whole installation; empty for nearly everybody. */
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

/** Everybody who may do something for the whole installation, by address. */
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
