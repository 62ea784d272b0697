/** Showing a second factor: the present code of an authenticator, or a recovery code. Each works once, ever. */
import { eq } from "drizzle-orm";
import { type Instant, minutes, shift } from "../../../core/clock.ts";
import type { KeyRing } from "../../../core/crypto.ts";
import { preconditionFailed, refused } from "../../../core/errors.ts";
import type { SessionId, UserId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";
import { type NoticePost, postNotice } from "../email/notices.ts";
import { findEnrollment } from "./mfa.queries.ts";
import { totpEnrollments } from "./mfa.tables.ts";
import { type SteppingSession, takeRecoveryCode } from "./recovery-codes.ts";
import { matchingStep, openTotpSecret } from "./totp.ts";

/** How long a second factor that was shown counts as just shown. */
export const FRESH = minutes(10);

export const wrongCode = () => refused("code_wrong", "The code is wrong or was used before.");

export const notEnrolled = () =>
  preconditionFailed("second_factor_missing", "No second factor is set up: POST /auth/mfa/enroll/start.");

/** Counts the tries of one account, in all its sessions and sign-ins together. */
export interface Tries {
  /**
   * Before a code is looked at, and not after it was wrong: tries made at the same moment would all be let through.
   *
   * @throws RATE_LIMITED
   */
  count(userId: UserId): void;
  /** After a code that was right: whoever has the second factor is not guessing. */
  forget(userId: UserId): void;
}

/** Which of the two it was. */
export type SecondFactor = "totp" | "recovery_code";

const digitsOf = (code: string) => code.replaceAll(/[ -]/g, "");

/**
 * Uses a code up and says what it was; nothing, if it is wrong, or the account has no second factor.
 *
 * @param session the one that is to be raised by it, if one is
 */
export async function useSecondFactor(
  tx: Tx<"control">,
  keys: KeyRing,
  { userId, code, session }: { userId: UserId; code: string; session?: SteppingSession | undefined },
): Promise<SecondFactor | undefined> {
  const enrollment = await findEnrollment(tx, userId);
  if (!enrollment?.confirmed_at) return undefined;
  if (!/^\d{6}$/.test(digitsOf(code)))
    return (await takeRecoveryCode(tx, { userId, code, session })) ? "recovery_code" : undefined;
  return (await takeStep(tx, keys, { enrollment, code })) ? "totp" : undefined;
}

/** Uses the code's time step up, and all before it; false, if the code is wrong. */
export async function takeStep(
  tx: Tx<"control">,
  keys: KeyRing,
  { enrollment, code }: { enrollment: typeof totpEnrollments.$inferSelect; code: string },
): Promise<boolean> {
  const { user_id: userId, last_step: lastStep } = enrollment;
  const secret = openTotpSecret(keys.key("sealing"), userId, enrollment.secret);
  const step = matchingStep({ secret, code: digitsOf(code), at: tx.now, lastStep });
  if (step === undefined) return false;
  await tx.update(totpEnrollments).set({ last_step: step }).where(eq(totpEnrollments.user_id, userId));
  return true;
}

/** Writes into the session that the second factor was shown in it just now. */
export async function noteSecondFactor(
  tx: Tx<"control">,
  sessionId: SessionId,
  raised: { step_up_until?: Instant } = {},
): Promise<void> {
  await tx
    .update(sessions)
    .set({ second_factor_at: tx.now, ...raised })
    .where(eq(sessions.id, sessionId));
}

export const freshUntil = (shownAt: Instant): Instant => shift(shownAt, FRESH);

/** Where a code is asked for. */
type Occasion = "enrollment" | "sign_in" | "step_up";

/** Leaves a row about a code that was wrong. The transaction must then commit: what it throws would take the row back. */
export const auditFailure = (
  tx: Tx<"control">,
  by: Pick<Context, "actor" | "requestId">,
  { userId, at, failures }: { userId: UserId; at: Occasion; failures?: number },
): Promise<void> => audit(tx, by, "mfa.failed", { subject: { kind: "user", id: userId }, after: { at, failures } });

/** Leaves a row about a second factor that was shown; of a recovery code, one more, and the account is told: there is one less. */
export async function auditShown(
  tx: Tx<"control">,
  by: Pick<Context, "actor" | "requestId"> & NoticePost,
  action: "mfa.verified" | "mfa.stepped_up",
  { userId, factor }: { userId: UserId; factor: SecondFactor },
): Promise<void> {
  const subject = { kind: "user", id: userId };
  if (factor === "recovery_code") {
    await audit(tx, by, "recovery_code.used", { subject });
    await postNotice(tx, by, { userId, notice: "recovery_code_used" });
  }
  await audit(tx, by, action, { subject, after: { factor } });
}
