import type { z } from "zod";
import type { MfaChallenge } from "../accounts.schemas.ts";
import type { RefreshCookie } from "../sessions/refresh-cookie.ts";
import { type TokenPairDeps, tokenPair } from "../sessions/token-pair.ts";
import type { SignIn } from "./sign-in.ts";

interface Set {
  headers: Record<string, string | number | string[] | undefined>;
}

/** Returns the response of a sign-in: the token pair, or the challenge. */
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

/** Returns the token pair of a new session. Sets the refresh token as the cookie if the sign-in requested it. */
export async function sessionReply(
  parts: TokenPairDeps & { cookie: RefreshCookie },
  set: Set,
  { session, cookie }: Exclude<SignIn, { challenge: unknown }>,
) {
  const pair = await tokenPair(parts, session);
  return cookie ? intoCookie(parts.cookie, set, pair) : pair;
}

/** Moves the refresh token from the body, where scripts could read it, into the cookie. */
export function intoCookie(
  cookie: RefreshCookie,
  set: Set,
  { refresh_token, ...rest }: Awaited<ReturnType<typeof tokenPair>>,
) {
  set.headers["set-cookie"] = cookie.set(refresh_token, rest.refresh_expires_in);
  return rest;
}
