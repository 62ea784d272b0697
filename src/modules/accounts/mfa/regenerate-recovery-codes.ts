import { audit } from "../../../storage/audit.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { isEnrolled } from "./mfa.queries.ts";
import { newRecoveryCodes, replaceRecoveryCodes } from "./recovery-codes.ts";
import { hasSteppedUp, requireRecentFactor } from "./require-step-up.ts";
import { notEnrolled } from "./second-factor.ts";

/**
 * Replaces every recovery code of the caller, used or not, by ten new ones. Recovery codes bypass the authenticator, so a
 * stolen access token must not get them. A session that has not stepped up cannot use the new codes to step up.
 *
 * @returns the new codes, which no later response shows
 * @throws PRECONDITION_FAILED the account has no second factor
 * @throws STEP_UP_REQUIRED    the second factor was not verified in this session within the last ten minutes
 */
export async function regenerateRecoveryCodes(context: SignedIn): Promise<string[]> {
  const { actor, control } = context;
  const { userId } = actor;
  const codes = await newRecoveryCodes();
  await control.write(async (tx) => {
    if (!(await isEnrolled(tx, userId))) throw notEnrolled();
    await requireRecentFactor(tx, actor, tx.now);
    const sessionId = (await hasSteppedUp(tx, actor, tx.now)) ? null : actor.sessionId;
    await replaceRecoveryCodes(tx, { userId, codes, sessionId });
    await audit(tx, context, "recovery_codes.regenerated", {
      subject: { kind: "user", id: userId },
      after: { count: codes.length },
    });
  });
  return codes;
}
