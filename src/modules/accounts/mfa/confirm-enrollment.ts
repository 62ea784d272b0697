import { eq } from "drizzle-orm";
import type { KeyRing } from "../../../core/crypto.ts";
import { invalid, notFound } from "../../../core/errors.ts";
import { audit } from "../../../storage/audit.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { type NoticePost, postNotice } from "../email/notices.ts";
import { findEnrollment } from "./mfa.queries.ts";
import { totpEnrollments } from "./mfa.tables.ts";
import { newRecoveryCodes, replaceRecoveryCodes } from "./recovery-codes.ts";
import { auditFailure, noteSecondFactor, takeStep } from "./second-factor.ts";

/**
 * Turns the second factor on with the first code of the new authenticator. Sessions that are open elsewhere stay. Tries
 * are not limited: whoever could guess here is signed in, and could as well begin with a secret of their own.
 *
 * @returns the recovery codes, shown this once
 * @throws NOT_FOUND        nothing was begun, or it is confirmed already
 * @throws VALIDATION_ERROR the code is wrong
 */
export async function confirmEnrollment(
  context: SignedIn & NoticePost & { keys: KeyRing },
  { code }: { code: string },
): Promise<string[]> {
  const { actor, control, keys } = context;
  const { userId, sessionId } = actor;
  const codes = newRecoveryCodes();

  const isRight = await control.write(async (tx) => {
    const enrollment = await findEnrollment(tx, userId);
    if (!enrollment) throw notFound("No enrollment was begun: POST /auth/mfa/enroll/start comes first.");
    if (enrollment.confirmed_at !== null)
      throw notFound("The second factor is confirmed already: nothing is left to do.");
    if (!(await takeStep(tx, keys, { enrollment, code }))) {
      await auditFailure(tx, context, { userId, at: "enrollment" });
      return false;
    }
    await tx.update(totpEnrollments).set({ confirmed_at: tx.now }).where(eq(totpEnrollments.user_id, userId));
    await replaceRecoveryCodes(tx, { userId, codes, sessionId: null });
    await noteSecondFactor(tx, sessionId);
    await audit(tx, context, "mfa.enrolled", { subject: { kind: "user", id: userId } });
    await postNotice(tx, context, { userId, notice: "second_factor_added" });
    return true;
  });
  // Thrown out here: inside, it would undo the row about it.
  if (!isRight) throw invalid({ path: "code", code: "custom", message: "The code is wrong." });
  return codes;
}
