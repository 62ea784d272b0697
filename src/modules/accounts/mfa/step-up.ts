import { eq } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import type { KeyRing } from "../../../core/crypto.ts";
import { unauthorized } from "../../../core/errors.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { sessions } from "../accounts.tables.ts";
import type { NoticePost } from "../email/notices.ts";
import { isEnrolled } from "./mfa.queries.ts";
import {
  auditFailure,
  auditShown,
  freshUntil,
  notEnrolled,
  noteSecondFactor,
  type Tries,
  useSecondFactor,
  wrongCode,
} from "./second-factor.ts";

/**
 * Shows the second factor again, so that this session may do for ten minutes what demands it.
 *
 * @returns until when
 * @throws PRECONDITION_FAILED there is no second factor
 * @throws UNAUTHORIZED        the code is wrong or used up, or this session had it made
 * @throws RATE_LIMITED        too many codes of this account were wrong
 */
export async function stepUp(
  context: SignedIn & NoticePost & { keys: KeyRing; tries: Tries },
  { code }: { code: string },
): Promise<Instant> {
  const { actor, control, keys, tries } = context;
  const { userId, sessionId } = actor;
  if (!(await control.read((reader) => isEnrolled(reader, userId)))) throw notEnrolled();
  tries.count(userId);

  const until = await control.write(async (tx) => {
    const [session] = await tx.select().from(sessions).where(eq(sessions.id, sessionId));
    if (!session) throw unauthorized();
    const factor = await useSecondFactor(tx, keys, { userId, code, session });
    if (factor === undefined) {
      await auditFailure(tx, context, { userId, at: "step_up" });
      return undefined;
    }
    const stepUpUntil = freshUntil(tx.now);
    await noteSecondFactor(tx, sessionId, { step_up_until: stepUpUntil });
    await auditShown(tx, context, "mfa.stepped_up", { userId, factor });
    return stepUpUntil;
  });
  // Thrown out here: inside, it would undo the row about it.
  if (until === undefined) throw wrongCode();
  tries.forget(userId);
  return until;
}
