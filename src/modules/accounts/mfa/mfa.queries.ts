import { and, count, eq, isNotNull } from "drizzle-orm";
import type { UserId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { recoveryCodes, totpEnrollments } from "./mfa.tables.ts";

/** Returns whether the account has a confirmed second factor. */
export async function isEnrolled(reader: Reader<"control">, userId: UserId): Promise<boolean> {
  const [row] = await reader
    .select({ user_id: totpEnrollments.user_id })
    .from(totpEnrollments)
    .where(and(eq(totpEnrollments.user_id, userId), isNotNull(totpEnrollments.confirmed_at)));
  return row !== undefined;
}

/** Returns the account's enrollment, confirmed or not. */
export async function findEnrollment(
  reader: Reader<"control">,
  userId: UserId,
): Promise<typeof totpEnrollments.$inferSelect | undefined> {
  const [row] = await reader.select().from(totpEnrollments).where(eq(totpEnrollments.user_id, userId));
  return row;
}

/** Counts the account's current recovery codes, and the unused ones. */
export async function countRecoveryCodes(
  reader: Reader<"control">,
  userId: UserId,
): Promise<{ total: number; remaining: number }> {
  const [row] = await reader
    .select({ total: count(), used: count(recoveryCodes.used_at) })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.user_id, userId));
  const { total, used } = row ?? { total: 0, used: 0 };
  return { total, remaining: total - used };
}
