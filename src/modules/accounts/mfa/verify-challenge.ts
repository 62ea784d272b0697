import { eq } from "drizzle-orm";
import { type Instant, toInstant } from "../../../core/clock.ts";
import { type KeyRing, sha256 } from "../../../core/crypto.ts";
import { Problem, refused } from "../../../core/errors.ts";
import { users } from "../../../identity/identity.tables.ts";
import type { Context } from "../../../storage/context.ts";
import type { Reader } from "../../../storage/store.ts";
import type { NoticeMailer } from "../email/notices.ts";
import { actorOf, type Client, openSession, type Session } from "../sessions/sessions.ts";
import { mfaChallenges } from "./mfa.tables.ts";
import {
  auditFailure,
  auditSecondFactor,
  type CodeAttempts,
  recordSecondFactor,
  useSecondFactor,
  wrongCode,
} from "./second-factor.ts";

/** The number of wrong codes after which a challenge is invalid. */
const MAX_FAILURES = 5;

export interface ChallengeResponse {
  /** The token that the sign-in returned. */
  token: string;
  code: string;
  client: Client;
}

/**
 * Finishes a sign-in with the second factor. A challenge is valid for one session, five wrong codes and five minutes. It
 * ends when the account is disabled, or its second factor or password changes.
 *
 * @throws UNAUTHORIZED the challenge has ended, or the code is wrong or used
 * @throws RATE_LIMITED five wrong codes for the challenge, or too many for the account
 */
export async function verifyChallenge(
  context: Context & NoticeMailer & { keys: KeyRing; attempts: CodeAttempts },
  { token, code, client }: ChallengeResponse,
): Promise<{ session: Session; cookie: boolean }> {
  const { control, clock, keys, attempts, requestId } = context;
  const tokenHash = sha256(token);
  const { account } = await control.read((reader) => requireOpenChallenge(reader, tokenHash, toInstant(clock.now())));
  await attempts.count(account.id);

  const opened = await control.write(async (tx) => {
    const { challenge, account } = await requireOpenChallenge(tx, tokenHash, tx.now);
    const { user_id: userId, org_id: orgId, cookie } = challenge;
    const isChallenge = eq(mfaChallenges.token_hash, tokenHash);
    const factor = await useSecondFactor(tx, keys, { userId, code });
    if (factor === undefined) {
      const failures = challenge.failures + 1;
      await tx.update(mfaChallenges).set({ failures }).where(isChallenge);
      const by = { actor: { kind: "anonymous" }, requestId } as const;
      await auditFailure(tx, by, { userId, at: "sign_in", failures });
      return undefined;
    }
    await tx.update(mfaChallenges).set({ used_at: tx.now }).where(isChallenge);
    // RFC 8176. The provider may already have returned `mfa`.
    const amr = [...new Set([...challenge.amr, "otp", "mfa"])];
    const session = await openSession(tx, { clock, requestId }, { account, orgId, amr, client });
    await recordSecondFactor(tx, session.id);
    await auditSecondFactor(tx, { ...context, actor: actorOf(account, session.id) }, "mfa.verified", {
      userId,
      factor,
    });
    return { session, cookie };
  });
  // Thrown outside the transaction: inside, it would roll back the count.
  if (!opened) throw wrongCode();
  await attempts.forget(account.id);
  return opened;
}

/** @throws UNAUTHORIZED, RATE_LIMITED as `verifyChallenge` */
async function requireOpenChallenge(reader: Reader<"control">, tokenHash: string, now: Instant) {
  const [row] = await reader
    .select({ challenge: mfaChallenges, account: users })
    .from(mfaChallenges)
    .innerJoin(users, eq(users.id, mfaChallenges.user_id))
    .where(eq(mfaChallenges.token_hash, tokenHash));
  const isOver = !row || row.challenge.used_at !== null || row.challenge.expires_at <= now;
  if (isOver || row.account.disabled_at !== null)
    throw refused("sign_in_over", "The sign-in has ended. Sign in again.");
  const { failures, expires_at } = row.challenge;
  if (failures >= MAX_FAILURES) {
    const retryAfter = Math.ceil((Date.parse(expires_at) - Date.parse(now)) / 1000);
    throw new Problem("RATE_LIMITED", "Too many wrong codes for this sign-in. Sign in again.", { retryAfter });
  }
  return row;
}
