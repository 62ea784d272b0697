/** Access tokens: signed, valid for 15 minutes, without permissions, which each request looks up. */
import { jwt } from "@elysiajs/jwt";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { type Clock, type Instant, minutes, shift, toInstant } from "../core/clock.ts";
import { newId, type OrgId, type SessionId, type UserId } from "../core/ids.ts";
import { idOf } from "./fields.ts";

const AUDIENCE = "windsock";
const LIFETIME = minutes(15);

export interface AccessGrant {
  userId: UserId;
  sessionId: SessionId;
  /** The default organization. */
  orgId: OrgId | null;
  /** Authentication methods (RFC 8176): `pwd`, `otp`, … */
  amr: readonly string[];
  /** The time of the authentication. */
  authTime: Instant;
}

export interface AccessClaims extends AccessGrant {
  tokenId: string;
  expiresAt: Instant;
}

export interface AccessTokens {
  /** `expiresIn` is in seconds. */
  issue(grant: AccessGrant): Promise<{ token: string; expiresIn: number }>;
  /** Returns the claims of a valid token; `undefined` for a token that is expired or not of this installation. */
  verify(token: string): Promise<AccessClaims | undefined>;
}

interface AccessTokenOptions {
  key: Buffer;
  /** The public address of this installation. Tokens of another issuer are invalid. */
  issuer: string;
  clock: Clock;
}

const Payload = z.object({
  sub: idOf<"user">(),
  sid: idOf<"session">(),
  org: idOf<"organization">().nullable(),
  amr: z.array(z.string()),
  auth_time: z.int(),
  exp: z.int(),
  iat: z.int(),
  jti: idOf<"access_token">(),
});

/** The number of verified tokens in the cache, at most about 10 MB. */
const cacheSize = 10_000;

const toSeconds = (instant: Instant) => Math.floor(Date.parse(instant) / 1000);
const fromSeconds = (seconds: number) => toInstant(new Date(seconds * 1000));

export function createAccessTokens({ key, issuer, clock }: AccessTokenOptions): AccessTokens {
  // The plugin sets `iat` from the wall clock, and its value is not used. `exp` and `auth_time` use the injected clock.
  const { sign, verify } = jwt({ name: "jwt", secret: key, alg: "HS256", iss: issuer, aud: AUDIENCE }).decorator.jwt;
  /** Verifying a signature takes longer than the rest of a request's authentication. Only expiry can change the result. */
  const verified = new LRUCache<string, AccessClaims>({ max: cacheSize });

  return {
    async issue({ userId, sessionId, orgId, amr, authTime }) {
      const token = await sign({
        sub: userId,
        sid: sessionId,
        org: orgId,
        amr: [...amr],
        auth_time: toSeconds(authTime),
        exp: toSeconds(shift(clock.now(), LIFETIME)),
        jti: newId<"access_token">(clock),
      });
      return { token, expiresIn: LIFETIME / 1000 };
    },

    async verify(token) {
      const known = verified.get(token);
      if (known !== undefined) return toInstant(clock.now()) < known.expiresAt ? known : undefined;
      // By default the plugin checks neither algorithm, issuer nor audience, and uses the wall clock for the expiry.
      const payload = await verify(token, {
        algorithms: ["HS256"],
        issuer,
        audience: AUDIENCE,
        currentDate: clock.now(),
        requiredClaims: ["exp", "sub", "jti"],
      });
      const parsed = Payload.safeParse(payload);
      if (!parsed.success) return undefined;
      const { sub, sid, org, amr, auth_time, exp, jti } = parsed.data;
      const claims: AccessClaims = {
        userId: sub,
        sessionId: sid,
        orgId: org,
        amr,
        authTime: fromSeconds(auth_time),
        tokenId: jti,
        expiresAt: fromSeconds(exp),
      };
      verified.set(token, claims);
      return claims;
    },
  };
}
