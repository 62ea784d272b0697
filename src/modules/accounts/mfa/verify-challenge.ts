import { eq } from "drizzle-orm";
import { type Instant, toInstant } from "../../../core/clock.ts";
import { type KeyRing, sha256 } from "../../../core/crypto.ts";
import { Problem, refused } from "../../../core/errors.ts";
import type { Context } from "../../../storage/context.ts";
import type { Reader } from "../../../storage/store.ts";
import { users } from "../accounts.tables.ts";
import type { NoticePost } from "../email/notices.ts";
import { actorOf, type Client, openSession, type Session } from "../sessions/sessions.ts";
import { mfaChallenges } from "./mfa.tables.ts";
import { auditFailure, auditShown, noteSecondFactor, type Tries, useSecondFactor, wrongCode } from "./second-factor.ts";

/** How many wrong codes a challenge takes. */
const TRIES = 5;

export interface Answered {
  /** As the sign-in handed it out. */
  token: string;
  code: string;
  client: Client;
}

/**
 * Finishes a sign-in with the second factor. A challenge is good for one session, five wrong codes and five minutes, and
 * ends with its account, its second factor or its password.
 *
 * @throws UNAUTHORIZED the challenge is over, or the code is wrong or used up
 * @throws RATE_LIMITED the challenge has had its five wrong codes, or the account too many
 */
export async function verifyChallenge(
  context: Context & NoticePost & { keys: KeyRing; tries: Tries },
  { token, code, client }: Answered,
): Promise<{ session: Session; cookie: boolean }> {
  const { control, clock, keys, tries, requestId } = context;
  const tokenHash = sha256(token);
  const { account } = await control.read((reader) => requireOpenChallenge(reader, tokenHash, toInstant(clock.now())));
  tries.count(account.id);

  const opened = await control.write(async (tx) => {
    const { challenge, account } = await requireOpenChallenge(tx, tokenHash, tx.now);
    const { user_id: userId, org_id: orgId, cookie } = challenge;
    const isThis = eq(mfaChallenges.token_hash, tokenHash);
    const factor = await useSecondFactor(tx, keys, { userId, code });
    if (factor === undefined) {
      const failures = challenge.failures + 1;
      await tx.update(mfaChallenges).set({ failures }).where(isThis);
      const by = { actor: { kind: "anonymous" }, requestId } as const;
      await auditFailure(tx, by, { userId, at: "sign_in", failures });
      return undefined;
    }
    await tx.update(mfaChallenges).set({ used_at: tx.now }).where(isThis);
    // RFC 8176. A provider may have said `mfa` already.
    const amr = [...new Set([...challenge.amr, "otp", "mfa"])];
    const session = await openSession(tx, { clock, requestId }, { account, orgId, amr, client });
    await noteSecondFactor(tx, session.id);
    await auditShown(tx, { ...context, actor: actorOf(account, session.id) }, "mfa.verified", { userId, factor });
    return { session, cookie };
  });
  // Thrown out here: inside, it would undo the count.
  if (!opened) throw wrongCode();
  tries.forget(account.id);
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
  if (isOver || row.account.disabled_at !== null) throw refused("sign_in_over", "The sign-in is over. Sign in again.");
  const { failures, expires_at: expiresAt } = row.challenge;
  if (failures >= TRIES) {
    const retryAfter = Math.ceil((Date.parse(expiresAt) - Date.parse(now)) / 1000);
    throw new Problem("RATE_LIMITED", "Too many wrong codes for this sign-in. Sign in again.", { retryAfter });
  }
  return row;
}
