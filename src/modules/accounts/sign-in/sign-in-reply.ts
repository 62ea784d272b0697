import type { z } from "zod";
import type { MfaChallenge } from "../accounts.schemas.ts";
import type { RefreshCookie } from "../sessions/refresh-cookie.ts";
import { type TokenPairDeps, tokenPair } from "../sessions/token-pair.ts";
import type { SignIn } from "./sign-in.ts";

interface Set {
  headers: Record<string, string | number | string[] | undefined>;
}

/** What a sign-in is answered with: the token pair, its refresh token perhaps in the cookie, or the challenge. */
export async function signInReply(parts: TokenPairDeps & { cookie: RefreshCookie }, set: Set, outcome: SignIn) {
  if ("challenge" in outcome) {
    const { token, expiresAt } = outcome.challenge;
    const expiresIn = Math.floor((Date.parse(expiresAt) - parts.clock.now().getTime()) / 1000);
    return { mfa_required: true, mfa_token: token, expires_in: expiresIn } as const satisfies z.infer<
      typeof MfaChallenge
    >;
  }
  return sessionReply(parts, set, outcome);
}

/** The token pair of a session that was opened, its refresh token perhaps in the cookie. */
export async function sessionReply(
  parts: TokenPairDeps & { cookie: RefreshCookie },
  set: Set,
  { session, cookie }: Exclude<SignIn, { challenge: unknown }>,
) {
  const pair = await tokenPair(parts, session);
  return cookie ? intoCookie(parts.cookie, set, pair) : pair;
}

/** Moves the refresh token out of the answer, where scripts could read it, into the cookie. */
export function intoCookie(
  cookie: RefreshCookie,
  set: Set,
  { refresh_token, ...rest }: Awaited<ReturnType<typeof tokenPair>>,
) {
  set.headers["set-cookie"] = cookie.set(refresh_token, rest.refresh_expires_in);
  return rest;
}
