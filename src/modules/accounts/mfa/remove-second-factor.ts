import { eq } from "drizzle-orm";
import type { UserId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";
import { mfaChallenges, totpEnrollments } from "./mfa.tables.ts";
import { deleteRecoveryCodes } from "./recovery-codes.ts";

/** Removes the second factor of an account, its recovery codes and the sign-ins that wait for a code. */
export async function removeSecondFactor(tx: Tx<"control">, userId: UserId): Promise<void> {
  await tx.delete(totpEnrollments).where(eq(totpEnrollments.user_id, userId));
  await deleteRecoveryCodes(tx, userId);
  await endChallenges(tx, userId);
  // A verification of this second factor does not count for the next one.
  await tx.update(sessions).set({ second_factor_at: null, step_up_until: null }).where(eq(sessions.user_id, userId));
}

/** Ends the sign-ins that wait for a code. Called when a factor changes: their first factor may be out of date. */
export async function endChallenges(tx: Tx<"control">, userId: UserId): Promise<void> {
  await tx.delete(mfaChallenges).where(eq(mfaChallenges.user_id, userId));
}
