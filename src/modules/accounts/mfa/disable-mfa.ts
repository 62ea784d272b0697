import { audit } from "../../../storage/audit.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { type NoticePost, postNotice } from "../email/notices.ts";
import { findEnrollment } from "./mfa.queries.ts";
import { removeSecondFactor } from "./remove-second-factor.ts";
import { requireSteppedUp } from "./require-step-up.ts";

/**
 * Takes the second factor off the caller's account: the recovery codes are burnt, and sign-ins that wait for it end. An
 * enrollment that was only begun goes as well; where there is nothing, nothing happens.
 *
 * @throws STEP_UP_REQUIRED
 */
export async function disableMfa(context: SignedIn & NoticePost): Promise<void> {
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
    if (enrollment.confirmed_at !== null) await postNotice(tx, context, { userId, notice: "second_factor_removed" });
  });
}
