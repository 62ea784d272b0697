import type { z } from "zod";
import type { Clock } from "../../../core/clock.ts";
import type { AccessTokens } from "../../../http/access-token.ts";
import type { TokenPair } from "../accounts.schemas.ts";
import type { RefreshTokens } from "./refresh-token.ts";
import type { Session } from "./sessions.ts";

export interface TokenPairDeps {
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokens;
  clock: Clock;
}

/** Issues the access token and the refresh token of a session. */
export async function tokenPair({ accessTokens, refreshTokens, clock }: TokenPairDeps, session: Session) {
  const { token, expiresIn } = await accessTokens.issue({
    userId: session.user_id,
    sessionId: session.id,
    orgId: session.org_id,
    amr: session.amr,
    authTime: session.auth_time,
  });
  return {
    token_type: "Bearer",
    access_token: token,
    expires_in: expiresIn,
    refresh_token: refreshTokens.issue({ sessionId: session.id, generation: session.generation }),
    refresh_expires_in: Math.floor((Date.parse(session.idle_until) - clock.now().getTime()) / 1000),
  } as const satisfies z.infer<typeof TokenPair>;
}
