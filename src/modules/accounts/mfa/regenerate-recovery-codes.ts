import { audit } from "../../../storage/audit.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { isEnrolled } from "./mfa.queries.ts";
import { newRecoveryCodes, replaceRecoveryCodes } from "./recovery-codes.ts";
import { hasSteppedUp, requireRecentFactor } from "./require-step-up.ts";
import { notEnrolled } from "./second-factor.ts";

/**
 * Burns every recovery code of the caller, used or not, and makes ten new ones. They are a way round the authenticator,
 * so a stolen access token must not get them; and where the session has not stepped up, nor can it by these.
 *
 * @returns the new codes, shown this once
 * @throws PRECONDITION_FAILED there is no second factor
 * @throws STEP_UP_REQUIRED    none was shown in this session within the last ten minutes
 */
export async function regenerateRecoveryCodes(context: SignedIn): Promise<string[]> {
  const { actor, control } = context;
  const { userId } = actor;
  const codes = newRecoveryCodes();
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
