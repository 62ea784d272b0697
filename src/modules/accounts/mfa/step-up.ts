import { eq } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import type { KeyRing } from "../../../core/crypto.ts";
import { unauthorized } from "../../../core/errors.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { sessions } from "../accounts.tables.ts";
import type { NoticeMailer } from "../email/notices.ts";
import { isEnrolled } from "./mfa.queries.ts";
import {
  auditFailure,
  auditSecondFactor,
  type CodeAttempts,
  freshUntil,
  notEnrolled,
  recordSecondFactor,
  useSecondFactor,
  wrongCode,
} from "./second-factor.ts";

/**
 * Verifies the second factor again. For ten minutes, the session may then do what requires a step-up.
 *
 * @returns when the step-up expires
 * @throws PRECONDITION_FAILED the account has no second factor
 * @throws UNAUTHORIZED        the code is wrong or used, or this session created it
 * @throws RATE_LIMITED        too many wrong codes for this account
 */
export async function stepUp(
  context: SignedIn & NoticeMailer & { keys: KeyRing; attempts: CodeAttempts },
  { code }: { code: string },
): Promise<Instant> {
  const { actor, control, keys, attempts } = context;
  const { userId, sessionId } = actor;
  if (!(await control.read((reader) => isEnrolled(reader, userId)))) throw notEnrolled();
  await attempts.count(userId);

  const until = await control.write(async (tx) => {
    const [session] = await tx.select().from(sessions).where(eq(sessions.id, sessionId));
    if (!session) throw unauthorized();
    const factor = await useSecondFactor(tx, keys, { userId, code, session });
    if (factor === undefined) {
      await auditFailure(tx, context, { userId, at: "step_up" });
      return undefined;
    }
    const stepUpUntil = freshUntil(tx.now);
    await recordSecondFactor(tx, sessionId, { step_up_until: stepUpUntil });
    await auditSecondFactor(tx, context, "mfa.stepped_up", { userId, factor });
    return stepUpUntil;
  });
  // Thrown outside the transaction: inside, it would roll back the audit row.
  if (until === undefined) throw wrongCode();
  await attempts.forget(userId);
  return until;
}
