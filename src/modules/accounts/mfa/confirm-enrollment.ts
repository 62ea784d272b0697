import { eq } from "drizzle-orm";
import type { KeyRing } from "../../../core/crypto.ts";
import { invalid, notFound } from "../../../core/errors.ts";
import { audit } from "../../../storage/audit.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { mailNotice, type NoticeMailer } from "../email/notices.ts";
import { findEnrollment } from "./mfa.queries.ts";
import { totpEnrollments } from "./mfa.tables.ts";
import { newRecoveryCodes, replaceRecoveryCodes } from "./recovery-codes.ts";
import { auditFailure, recordSecondFactor, useTotpCode } from "./second-factor.ts";

/**
 * Enables the second factor with the first code of the new authenticator. Other sessions stay open. Attempts are not
 * limited: a caller who could guess the code is signed in, and could start with a secret of their own.
 *
 * @returns the recovery codes, which no later response shows
 * @throws NOT_FOUND        no enrollment was started, or it is already confirmed
 * @throws VALIDATION_ERROR the code is wrong
 */
export async function confirmEnrollment(
  context: SignedIn & NoticeMailer & { keys: KeyRing },
  { code }: { code: string },
): Promise<string[]> {
  const { actor, control, keys } = context;
  const { userId, sessionId } = actor;
  const codes = await newRecoveryCodes();

  const isRight = await control.write(async (tx) => {
    const enrollment = await findEnrollment(tx, userId);
    if (!enrollment) throw notFound("No enrollment was started. Call POST /auth/mfa/enroll/start first.");
    if (enrollment.confirmed_at !== null) throw notFound("The second factor is already confirmed.");
    if (!(await useTotpCode(tx, keys, { enrollment, code }))) {
      await auditFailure(tx, context, { userId, at: "enrollment" });
      return false;
    }
    await tx.update(totpEnrollments).set({ confirmed_at: tx.now }).where(eq(totpEnrollments.user_id, userId));
    await replaceRecoveryCodes(tx, { userId, codes, sessionId: null });
    await recordSecondFactor(tx, sessionId);
    await audit(tx, context, "mfa.enrolled", { subject: { kind: "user", id: userId } });
    await mailNotice(tx, context, { userId, notice: "second_factor_added" });
    return true;
  });
  // Thrown outside the transaction: inside, it would roll back the audit row.
  if (!isRight) throw invalid({ path: "code", code: "impossible", message: "The code is wrong." });
  return codes;
}
