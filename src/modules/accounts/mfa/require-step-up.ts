import { eq } from "drizzle-orm";
import type { Actor, UserActor } from "../../../core/actor.ts";
import { type Clock, type Instant, toInstant } from "../../../core/clock.ts";
import { stepUpRequired } from "../../../core/errors.ts";
import type { Control, Reader } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";
import { isEnrolled } from "./mfa.queries.ts";
import { freshUntil } from "./second-factor.ts";

/**
 * For verbs that a stolen access token alone must not carry out: whoever has a second factor must have shown it within
 * the last ten minutes (`POST /auth/mfa/step`). Whoever has none, jobs and the command line pass.
 *
 * @throws STEP_UP_REQUIRED
 */
export async function requireStepUp({
  actor,
  control,
  clock,
}: {
  actor: Actor;
  control: Control;
  clock: Clock;
}): Promise<void> {
  if (actor.kind !== "user") return;
  await control.read((reader) => requireSteppedUp(reader, actor, toInstant(clock.now())));
}

/** The same, inside a transaction of the control database. @throws STEP_UP_REQUIRED */
export async function requireSteppedUp(reader: Reader<"control">, actor: UserActor, now: Instant): Promise<void> {
  if (!(await isEnrolled(reader, actor.userId))) return;
  if (!(await hasSteppedUp(reader, actor, now))) throw notShown();
}

/** Whether the caller has shown the second factor in a step-up of this session, within the last ten minutes. */
export async function hasSteppedUp(reader: Reader<"control">, actor: UserActor, now: Instant): Promise<boolean> {
  const { step_up_until: stepUpUntil } = await shownIn(reader, actor);
  return stepUpUntil !== null && stepUpUntil > now;
}

/**
 * Less than a step-up: the second factor was shown in this session within the last ten minutes on whatever occasion, so
 * signing in with it, or setting it up, will do.
 *
 * @throws STEP_UP_REQUIRED
 */
export async function requireRecentFactor(reader: Reader<"control">, actor: UserActor, now: Instant): Promise<void> {
  const { second_factor_at: secondFactorAt } = await shownIn(reader, actor);
  if (secondFactorAt === null || freshUntil(secondFactorAt) <= now) throw notShown();
}

const notShown = () => stepUpRequired("step_up_required", "Show your second factor first: POST /auth/mfa/step.");

async function shownIn(reader: Reader<"control">, { sessionId }: UserActor) {
  const [session] = await reader.select().from(sessions).where(eq(sessions.id, sessionId));
  return session ?? { step_up_until: null, second_factor_at: null };
}
