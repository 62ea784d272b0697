/** Verification of a second factor: the current code of an authenticator, or a recovery code. Each is valid once. */
import { eq } from "drizzle-orm";
import { type Instant, minutes, shift } from "../../../core/clock.ts";
import type { KeyRing } from "../../../core/crypto.ts";
import { preconditionFailed, refused } from "../../../core/errors.ts";
import type { SessionId, UserId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";
import { mailNotice, type NoticeMailer } from "../email/notices.ts";
import { findEnrollment } from "./mfa.queries.ts";
import { totpEnrollments } from "./mfa.tables.ts";
import { type StepUpSession, useRecoveryCode } from "./recovery-codes.ts";
import { matchingStep, openTotpSecret } from "./totp.ts";

/** How long a verification of the second factor counts as recent. */
export const STEP_UP_LIFETIME = minutes(10);

export const wrongCode = () => refused("code_wrong", "The code is wrong or was already used.");

export const notEnrolled = () =>
  preconditionFailed(
    "second_factor_missing",
    "The account has no second factor. Set one up: POST /auth/mfa/enroll/start.",
  );

/** Counts the attempts of an account, in all its sessions and sign-ins together. */
export interface CodeAttempts {
  /**
   * Call before the check of a code. Counting only wrong codes afterwards would let concurrent attempts pass.
   *
   * @throws RATE_LIMITED
   */
  count(userId: UserId): Promise<void>;
  /** Resets the count. Call after a correct code. */
  forget(userId: UserId): Promise<void>;
}

/** The kind of the accepted code. */
export type SecondFactor = "totp" | "recovery_code";

const digitsOf = (code: string) => code.replaceAll(/[ -]/g, "");

/**
 * Marks a code as used and returns its kind. Returns `undefined` if the code is wrong, or the account has no second factor.
 *
 * @param session the session to step up, if any
 */
export async function useSecondFactor(
  tx: Tx<"control">,
  keys: KeyRing,
  { userId, code, session }: { userId: UserId; code: string; session?: StepUpSession | undefined },
): Promise<SecondFactor | undefined> {
  const enrollment = await findEnrollment(tx, userId);
  if (!enrollment?.confirmed_at) return undefined;
  if (!/^\d{6}$/.test(digitsOf(code)))
    return (await useRecoveryCode(tx, { userId, code, session })) ? "recovery_code" : undefined;
  return (await useTotpCode(tx, keys, { enrollment, code })) ? "totp" : undefined;
}

/** Marks the time step of a code and all earlier ones as used. Returns false if the code is wrong. */
export async function useTotpCode(
  tx: Tx<"control">,
  keys: KeyRing,
  { enrollment, code }: { enrollment: typeof totpEnrollments.$inferSelect; code: string },
): Promise<boolean> {
  const { user_id, last_step } = enrollment;
  const secret = openTotpSecret(keys.key("sealing"), user_id, enrollment.secret);
  const step = await matchingStep({ secret, code: digitsOf(code), at: tx.now, lastStep: last_step });
  if (step === undefined) return false;
  await tx.update(totpEnrollments).set({ last_step: step }).where(eq(totpEnrollments.user_id, user_id));
  return true;
}

/** Records in the session that the second factor was verified now. */
export async function recordSecondFactor(
  tx: Tx<"control">,
  sessionId: SessionId,
  stepUp: { step_up_until?: Instant } = {},
): Promise<void> {
  await tx
    .update(sessions)
    .set({ second_factor_at: tx.now, ...stepUp })
    .where(eq(sessions.id, sessionId));
}

export const freshUntil = (verifiedAt: Instant): Instant => shift(verifiedAt, STEP_UP_LIFETIME);

/** The request that a code belongs to. */
type CodeUse = "enrollment" | "sign_in" | "step_up";

/** Writes an audit row about a wrong code. The transaction must then commit: an error would roll the row back. */
export const auditFailure = (
  tx: Tx<"control">,
  by: Pick<Context, "actor" | "requestId">,
  { userId, at, failures }: { userId: UserId; at: CodeUse; failures?: number },
): Promise<void> => audit(tx, by, "mfa.failed", { subject: { kind: "user", id: userId }, after: { at, failures } });

/** Writes an audit row about a verified second factor. A recovery code gets another row, and the account a notice. */
export async function auditSecondFactor(
  tx: Tx<"control">,
  by: Pick<Context, "actor" | "requestId"> & NoticeMailer,
  action: "mfa.verified" | "mfa.stepped_up",
  { userId, factor }: { userId: UserId; factor: SecondFactor },
): Promise<void> {
  const subject = { kind: "user", id: userId };
  if (factor === "recovery_code") {
    await audit(tx, by, "recovery_code.used", { subject });
    await mailNotice(tx, by, { userId, notice: "recovery_code_used" });
  }
  await audit(tx, by, action, { subject, after: { factor } });
}
