import { type Instant, minutes, shift } from "../../../core/clock.ts";
import { newToken, sha256 } from "../../../core/crypto.ts";
import type { OrgId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { Context } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { isEnrolled } from "../mfa/mfa.queries.ts";
import { mfaChallenges } from "../mfa/mfa.tables.ts";
import { type Client, openSession, type Session } from "../sessions/sessions.ts";
import type { Account } from "../users.ts";

/** An account that has passed the first factor, of any kind. */
export interface FirstFactor {
  account: Account;
  /** The organization named in the request, if any. */
  orgId: OrgId | null;
  amr: string[];
  client: Client;
  /** Whether the refresh token goes into the cookie. */
  cookie: boolean;
}

/** Represents the passed first factor until the second is verified. */
export interface Challenge {
  /** Returned once; stored as a hash only. */
  token: string;
  expiresAt: Instant;
}

/** The result of a sign-in. */
export type SignIn = { session: Session; cookie: boolean } | { challenge: Challenge };

export const CHALLENGE_LIFETIME = minutes(5);

/** Opens a session, or creates a challenge if the account has a second factor. */
export async function signIn(
  tx: Tx<"control">,
  context: Pick<Context, "clock" | "requestId">,
  { cookie, ...factor }: FirstFactor,
): Promise<SignIn> {
  const { account, orgId, amr } = factor;
  if (!(await isEnrolled(tx, account.id))) return { session: await openSession(tx, context, factor), cookie };

  const token = newToken();
  const challenge = { user_id: account.id, org_id: orgId, cookie, amr, expires_at: shift(tx.now, CHALLENGE_LIFETIME) };
  await tx.insert(mfaChallenges).values({ ...challenge, token_hash: sha256(token), created_at: tx.now });
  const by = { actor: { kind: "anonymous" }, requestId: context.requestId } as const;
  await audit(tx, by, "mfa.challenged", { subject: { kind: "user", id: account.id }, after: { amr } });
  return { challenge: { token, expiresAt: challenge.expires_at } };
}
