import { audit } from "../../../storage/audit.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { mailNotice, type NoticeMailer } from "../email/notices.ts";
import { findEnrollment } from "./mfa.queries.ts";
import { removeSecondFactor } from "./remove-second-factor.ts";
import { requireSteppedUp } from "./require-step-up.ts";

/**
 * Removes the second factor of the caller: deletes the recovery codes and the sign-ins that wait for a code. Removes an
 * unconfirmed enrollment as well. Does nothing if there is none.
 *
 * @throws STEP_UP_REQUIRED
 */
export async function disableMfa(context: SignedIn & NoticeMailer): Promise<void> {
  const { actor, control } = context;
  const { userId } = actor;
  await control.write(async (tx) => {
    await requireSteppedUp(tx, actor, tx.now);
    const enrollment = await findEnrollment(tx, userId);
    if (!enrollment) return;
    await removeSecondFactor(tx, userId);
    await audit(tx, context, "mfa.disabled", {
      subject: { kind: "user", id: userId },
      before: { confirmed_at: enrollment.confirmed_at },
    });
    if (enrollment.confirmed_at !== null) await mailNotice(tx, context, { userId, notice: "second_factor_removed" });
  });
}
