import { eq } from "drizzle-orm";
import type { Actor, UserActor } from "../../../core/actor.ts";
import { type Clock, type Instant, isToCome, toInstant } from "../../../core/clock.ts";
import { stepUpRequired } from "../../../core/errors.ts";
import type { Control, Reader } from "../../../storage/store.ts";
import { sessions } from "../accounts.tables.ts";
import { isEnrolled } from "./mfa.queries.ts";
import { freshUntil, STEP_UP_LIFETIME } from "./second-factor.ts";

/**
 * Protects verbs that a stolen access token alone must not run: an account with a second factor must have verified it
 * within the last ten minutes (`POST /auth/mfa/step`). Accounts without one, jobs and the command line pass.
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

/** As `requireStepUp`, inside a transaction of the control database. @throws STEP_UP_REQUIRED */
export async function requireSteppedUp(reader: Reader<"control">, actor: UserActor, now: Instant): Promise<void> {
  if (!(await isEnrolled(reader, actor.userId))) return;
  if (!(await hasSteppedUp(reader, actor, now))) throw notSteppedUp();
}

/** Returns whether the session has stepped up within the last ten minutes. */
export async function hasSteppedUp(reader: Reader<"control">, actor: UserActor, now: Instant): Promise<boolean> {
  const { step_up_until } = await verificationIn(reader, actor);
  return step_up_until !== null && isToCome(step_up_until, now, STEP_UP_LIFETIME);
}

/**
 * Weaker than a step-up: the second factor was verified in this session within the last ten minutes, at the sign-in, at
 * the set-up or in a step-up.
 *
 * @throws STEP_UP_REQUIRED
 */
export async function requireRecentFactor(reader: Reader<"control">, actor: UserActor, now: Instant): Promise<void> {
  const { second_factor_at } = await verificationIn(reader, actor);
  if (second_factor_at === null || !isToCome(freshUntil(second_factor_at), now, STEP_UP_LIFETIME)) throw notSteppedUp();
}

const notSteppedUp = () => stepUpRequired("step_up_required", "Verify your second factor first: POST /auth/mfa/step.");

async function verificationIn(reader: Reader<"control">, { sessionId }: UserActor) {
  const [session] = await reader.select().from(sessions).where(eq(sessions.id, sessionId));
  return session ?? { step_up_until: null, second_factor_at: null };
}
