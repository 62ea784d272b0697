import { Elysia } from "elysia";
import type { Clock } from "../../core/clock.ts";
import type { KeyRing } from "../../core/crypto.ts";
import { badRequest, unauthorized } from "../../core/errors.ts";
import type { AccessTokens } from "../../http/access-token.ts";
import { bearerToken } from "../../http/bearer-token.ts";
import type { Http } from "../../http/http.ts";
import { responses } from "../../http/responses.ts";
import { LogInBody, RefreshBody, SignedOut, TokenPair } from "./accounts.schemas.ts";
import { type AttemptLimits, createAttemptLimits } from "./attempt-limits.ts";
import { endAllSessions } from "./end-all-sessions.ts";
import { logIn } from "./log-in.ts";
import { logOut } from "./log-out.ts";
import type { Passwords } from "./passwords.ts";
import { createRefreshCookie, type RefreshCookie } from "./refresh-cookie.ts";
import { refreshSession } from "./refresh-session.ts";
import { createRefreshTokens, type RefreshTokens } from "./refresh-token.ts";
import { tokenPair } from "./token-pair.ts";

export interface AccountDeps {
  clock: Clock;
  keys: KeyRing;
  passwords: Passwords;
  accessTokens: AccessTokens;
  publicUrl: string;
}

interface Parts extends AccountDeps {
  refreshTokens: RefreshTokens;
  cookie: RefreshCookie;
  limits: AttemptLimits;
}

/** `/auth/login`, `/auth/refresh`, `/auth/logout`, `/auth/sessions`. */
export function accountRoutes(http: Http, deps: AccountDeps) {
  const parts: Parts = {
    ...deps,
    refreshTokens: createRefreshTokens(deps.keys.key("refresh-token")),
    cookie: createRefreshCookie(deps.publicUrl),
    limits: createAttemptLimits(deps.clock),
  };
  return new Elysia({ name: "accounts" })
    .use(logInRoute(http, parts))
    .use(refreshRoute(http, parts))
    .use(logOutRoute(http, parts))
    .use(sessionRoutes(http, parts));
}

const tags = ["Authentication"];

const logInRoute = ({ open }: Http, parts: Parts) =>
  new Elysia({ name: "accounts.log-in", tags }).use(open).post(
    "/auth/login",
    async ({ context, client, body, set }) => {
      const { email, password, org_id: orgId } = body;
      parts.limits.logIn(set, client, email);
      const session = await logIn({ ...context, passwords: parts.passwords }, { email, password, orgId, client });
      parts.limits.loggedIn(client, email);
      const pair = await tokenPair(parts, session);
      return body.cookie === true ? intoCookie(parts, set, pair) : pair;
    },
    {
      body: LogInBody,
      response: responses({ 200: TokenPair }, 400, 401, 403, 429),
      detail: {
        summary: "Sign in",
        description:
          "Opens a session with an e-mail address and a password. An unknown address and a wrong password have the same answer. 403: the account is disabled, or not a member of `org_id`. 10 attempts in 15 minutes for each client address and e-mail address, 100 for each client address.",
      },
    },
  );

const refreshRoute = ({ open }: Http, parts: Parts) =>
  new Elysia({ name: "accounts.refresh", tags }).use(open).post(
    "/auth/refresh",
    async ({ context, body, request, set }) => {
      const fromBody = body?.refresh_token;
      if (fromBody === undefined && !parts.cookie.isIn(request)) {
        throw badRequest("There is a refresh token neither in the body nor in the cookie.");
      }
      const used = parts.refreshTokens.read(fromBody ?? parts.cookie.read(request) ?? "");
      if (!used) throw unauthorized();
      parts.limits.refresh(set, used.sessionId);
      const pair = await tokenPair(parts, await refreshSession(context, used));
      return fromBody === undefined ? intoCookie(parts, set, pair) : pair;
    },
    {
      body: RefreshBody.optional(),
      response: responses({ 200: TokenPair }, 400, 401, 429),
      detail: {
        summary: "Get the next token pair",
        description:
          "Exchanges the session's newest refresh token, from the body or else from the cookie, for the next pair. Showing the same token again within 10 seconds yields the same next one, as long as that is unused; any other second use ends the session. The cookie counts only in a same-origin request. A session ends 30 days after its last refresh and 90 days after the sign-in. 60 a minute for each session.",
      },
    },
  );

const logOutRoute = ({ open }: Http, parts: Parts) =>
  new Elysia({ name: "accounts.log-out", tags }).use(open).post(
    "/auth/logout",
    async ({ context, body, request, set }) => {
      set.headers["set-cookie"] = parts.cookie.clear();
      const refreshed = parts.refreshTokens.read(body?.refresh_token ?? parts.cookie.read(request) ?? "");
      const accessed = await parts.accessTokens.verify(bearerToken(request) ?? "");
      const sessionIds = [refreshed, accessed].flatMap((shown) => (shown ? [shown.sessionId] : []));
      await logOut(context, { sessionIds });
      return { status: "signed_out" } as const;
    },
    {
      body: RefreshBody.optional(),
      response: responses({ 200: SignedOut }, 400, 401),
      detail: {
        summary: "Sign out",
        description:
          "Ends the session of the refresh token (body or cookie), of the access token, or of both, and clears the cookie. 401, the cookie cleared all the same, when none of them names an open session.",
      },
    },
  );

const sessionRoutes = ({ signedIn }: Http, parts: Parts) =>
  new Elysia({ name: "accounts.sessions", tags }).use(signedIn).delete(
    "/auth/sessions",
    async ({ context, set }) => {
      await endAllSessions(context);
      set.headers["set-cookie"] = parts.cookie.clear();
      return { status: "signed_out" } as const;
    },
    {
      response: responses({ 200: SignedOut }, 401),
      detail: {
        summary: "Sign out everywhere",
        description: "Ends every session of the caller, this one included; their access tokens stop working at once.",
      },
    },
  );

/** Moves the refresh token out of the answer, where scripts could read it, into the cookie. */
function intoCookie(
  { cookie }: Parts,
  set: { headers: Record<string, string | number | string[] | undefined> },
  { refresh_token, ...rest }: Awaited<ReturnType<typeof tokenPair>>,
) {
  set.headers["set-cookie"] = cookie.set(refresh_token, rest.refresh_expires_in);
  return rest;
}
