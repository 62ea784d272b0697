import type { Background } from "../../core/background.ts";
import type { Clock } from "../../core/clock.ts";
import type { KeyRing } from "../../core/crypto.ts";
import type { RateBuckets } from "../../core/rate-buckets.ts";
import type { AccessTokens } from "../../http/access-token.ts";
import type { Mailer } from "../../mail/mailer.ts";
import { type AttemptLimits, createAttemptLimits } from "./attempt-limits.ts";
import { createOneAtATime, type OneAtATime } from "./one-at-a-time.ts";
import type { PasswordService } from "./passwords/passwords.ts";
import { createRefreshCookie, type RefreshCookie } from "./sessions/refresh-cookie.ts";
import { createRefreshTokens, type RefreshTokens } from "./sessions/refresh-token.ts";
import type { SignUpSetting } from "./sign-up-setting.ts";

export interface AccountDeps {
  clock: Clock;
  keys: KeyRing;
  passwords: PasswordService;
  accessTokens: AccessTokens;
  mailer: Mailer;
  background: Background;
  publicUrl: string;
  /** The address of the page that mailed links open. */
  linkUrl: string;
  /** Where other processes count attempts as well; undefined: there are none. */
  buckets: RateBuckets | undefined;
  /** Who may make an account without an invite. */
  signUp: SignUpSetting;
}

/** The services of all routes that sign in an account. */
export interface AccountParts extends AccountDeps {
  refreshTokens: RefreshTokens;
  cookie: RefreshCookie;
  limits: AttemptLimits;
  oneAtATime: OneAtATime;
}

/** Call once: all routes share the limits and the requests in progress. */
export const createAccountParts = (deps: AccountDeps): AccountParts => ({
  ...deps,
  refreshTokens: createRefreshTokens(deps.keys.key("refresh-token")),
  cookie: createRefreshCookie(deps.publicUrl),
  limits: createAttemptLimits(deps.clock, deps.buckets),
  oneAtATime: createOneAtATime(),
});
