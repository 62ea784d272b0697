import { eq } from "drizzle-orm";
import type { UserId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";
import { mfaChallenges, totpEnrollments } from "./mfa.tables.ts";
import { burnRecoveryCodes } from "./recovery-codes.ts";

/** Takes the second factor off an account, with its recovery codes and every sign-in that waits for it. */
export async function removeSecondFactor(tx: Tx<"control">, userId: UserId): Promise<void> {
  await tx.delete(totpEnrollments).where(eq(totpEnrollments.user_id, userId));
  await burnRecoveryCodes(tx, userId);
  await endChallenges(tx, userId);
  // What was shown of it says nothing about the next one.
  await tx.update(sessions).set({ second_factor_at: null, step_up_until: null }).where(eq(sessions.user_id, userId));
}

/** Ends every sign-in that waits for the second factor: the first one, which it stands on, was changed. */
export async function endChallenges(tx: Tx<"control">, userId: UserId): Promise<void> {
  await tx.delete(mfaChallenges).where(eq(mfaChallenges.user_id, userId));
}
