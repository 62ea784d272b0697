import { and, eq } from "drizzle-orm";
import { conflict } from "../../../core/errors.ts";
import type { PlatformPermission } from "../../../core/permissions.ts";
import { audit } from "../../../storage/audit.ts";
import type { OperatorContext } from "../../../storage/context.ts";
import { platformPermissions } from "../accounts.tables.ts";
import { requireAccount } from "../users.ts";

export interface Grant {
  /** Trimmed and in lower case. */
  email: string;
  permission: PlatformPermission;
}

/**
 * Grants an account a permission for the whole installation.
 *
 * @param evenUnverified whether the e-mail address may be unverified: anyone can sign up with such an address
 * @returns false if the account already has the permission
 * @throws NOT_FOUND
 * @throws CONFLICT the e-mail address is not verified
 */
export function grantPlatformPermission(
  context: OperatorContext,
  { email, permission, evenUnverified }: Grant & { evenUnverified: boolean },
): Promise<boolean> {
  return context.control.write(async (tx) => {
    const { id, email_verified_at } = await requireAccount(tx, email);
    if (email_verified_at === null && !evenUnverified) {
      throw conflict(
        "email_unverified",
        `${email} is not verified: anyone can sign up with it. Check whose account it is, then add --unverified.`,
      );
    }
    const granted = await tx
      .insert(platformPermissions)
      .values({ user_id: id, permission, granted_at: tx.now })
      .onConflictDoNothing()
      .returning({ permission: platformPermissions.permission });
    if (granted.length === 0) return false;
    await audit(tx, context, "platform_permission.granted", { subject: { kind: "user", id }, after: { permission } });
    return true;
  });
}

/** Revokes a permission. @returns whether the account had it @throws NOT_FOUND */
export function revokePlatformPermission(context: OperatorContext, { email, permission }: Grant): Promise<boolean> {
  return context.control.write(async (tx) => {
    const { id } = await requireAccount(tx, email);
    const revoked = await tx
      .delete(platformPermissions)
      .where(and(eq(platformPermissions.user_id, id), eq(platformPermissions.permission, permission)))
      .returning({ permission: platformPermissions.permission });
    if (revoked.length === 0) return false;
    await audit(tx, context, "platform_permission.revoked", { subject: { kind: "user", id }, before: { permission } });
    return true;
  });
}
