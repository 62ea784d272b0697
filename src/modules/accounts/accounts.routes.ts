import { Elysia } from "elysia";
import { badRequest, unauthorized } from "../../core/errors.ts";
import { bearerToken } from "../../http/bearer-token.ts";
import type { Http } from "../../http/http.ts";
import { empty, noContent, responses } from "../../http/responses.ts";
import type { AccountParts } from "./accounts.parts.ts";
import { LogInBody, LogOutBody, RefreshBody, SignedInOrChallenged, SignedOut, TokenPair } from "./accounts.schemas.ts";
import { emailRoutes } from "./email/email.routes.ts";
import { handoffRoutes } from "./handoff/handoff.routes.ts";
import { linkPageRoutes } from "./link-page/link-page.routes.ts";
import { mfaRoutes } from "./mfa/mfa.routes.ts";
import { passwordRoutes } from "./passwords/password.routes.ts";
import { logOut } from "./sessions/log-out.ts";
import { refreshSession } from "./sessions/refresh-session.ts";
import { sessionRoutes } from "./sessions/sessions.routes.ts";
import { tokenPair } from "./sessions/token-pair.ts";
import { logIn } from "./sign-in/log-in.ts";
import { intoCookie, signInReply } from "./sign-in/sign-in-reply.ts";
import { signUpRoutes } from "./sign-up.routes.ts";

/** The routes of `/auth`, without those of providers (`oauth/`) and organizations. */
export const accountRoutes = (http: Http, parts: AccountParts) =>
  new Elysia({ name: "accounts" })
    .use(logInRoute(http, parts))
    .use(refreshRoute(http, parts))
    .use(logOutRoute(http, parts))
    .use(sessionRoutes(http, parts))
    .use(handoffRoutes(http, parts))
    .use(signUpRoutes(http, parts))
    .use(passwordRoutes(http, parts))
    .use(emailRoutes(http, parts))
    .use(linkPageRoutes(http))
    .use(mfaRoutes(http, parts));

const tags = ["Authentication"];

const logInRoute = ({ open }: Http, parts: AccountParts) =>
  new Elysia({ name: "accounts.log-in", tags }).use(open).post(
    "/auth/login",
    async ({ context, client, body, set }) => {
      const { email, password, org_id: orgId, cookie = false } = body;
      await parts.limits.logIn(set, client, email);
      const passwords = parts.passwords.for(client);
      const outcome = await logIn({ ...context, passwords }, { email, password, orgId, client, cookie });
      await parts.limits.loggedIn(client, email);
      return signInReply(parts, set, outcome);
    },
    {
      transform: async ({ client, set }) => parts.limits.logInFrom(set, client),
      body: LogInBody,
      response: responses({ 200: SignedInOrChallenged }, 400, 401, 429, "account_disabled", "not_a_member"),
      detail: {
        summary: "Sign in",
        description:
          "Opens a session with an e-mail address and a password. For an account with a second factor, returns a challenge for `POST /auth/mfa/verify`. An unknown address and a wrong password get the same response. 403: the account is disabled, or not a member of `org_id`. 10 attempts in 15 minutes for each client address and e-mail address, 100 for each client address.",
      },
    },
  );

const refreshRoute = ({ open }: Http, parts: AccountParts) =>
  new Elysia({ name: "accounts.refresh", tags }).use(open).post(
    "/auth/refresh",
    async ({ context, client, body, request, set }) => {
      const { refresh_token: fromBody, cookie = fromBody === undefined } = body ?? {};
      if (fromBody === undefined && !parts.cookie.isPresent(request)) {
        // A browser logs each 4xx as an error, and cannot know whether it has the cookie.
        if (body?.cookie) return noContent();
        throw badRequest("The refresh token is missing. Send it in the body or in the cookie.");
      }
      const rejection = fromBody === undefined ? parts.cookie.rejectionOf(request) : undefined;
      if (rejection !== undefined) throw unauthorized(rejection);
      const used = parts.refreshTokens.read(fromBody ?? parts.cookie.read(request) ?? "");
      if (!used) throw unauthorized();
      await parts.limits.refresh(set, used.sessionId);
      const pair = await tokenPair(parts, await refreshSession(context, { ...used, client }));
      return cookie ? intoCookie(parts.cookie, set, pair) : pair;
    },
    {
      body: RefreshBody.optional(),
      response: responses({ 200: TokenPair, 204: empty }, 400, 401, 429),
      detail: {
        summary: "Get the next token pair",
        description:
          "Exchanges the newest refresh token of the session for the next pair. Without a token in the body, the cookie is used; it is accepted in same-origin requests only. 204: the body asked for the cookie, and there is none, so no session. A repeat within 10 seconds returns the same next refresh token if that is unused. Any other reuse ends the session and the sessions handed on from it. A session ends 30 days after its last refresh and 90 days after the sign-in. 60 a minute for each session.",
      },
    },
  );

const logOutRoute = ({ open }: Http, parts: AccountParts) =>
  new Elysia({ name: "accounts.log-out", tags }).use(open).post(
    "/auth/logout",
    async ({ context, body, request, set }) => {
      const refreshed = parts.refreshTokens.read(body?.refresh_token ?? parts.cookie.read(request) ?? "");
      const accessed = await parts.accessTokens.verify(bearerToken(request) ?? "");
      const sessionIds = [refreshed, accessed].flatMap((shown) => (shown ? [shown.sessionId] : []));
      // A page of another site has no token, and its request names its origin: it must not sign out the user.
      if (sessionIds.length > 0 || !parts.cookie.isForeign(request)) set.headers["set-cookie"] = parts.cookie.clear();
      await logOut(context, { sessionIds });
      return { status: "signed_out" } as const;
    },
    {
      body: LogOutBody.optional(),
      response: responses({ 200: SignedOut }, 400, 401),
      detail: {
        summary: "Sign out",
        description:
          "Ends the session of the refresh token (body or cookie), of the access token, or of both, and the sessions handed on from it, and clears the cookie. 401: no token names an open session; the cookie is cleared nevertheless. A request from another origin without a token does not clear the cookie.",
      },
    },
  );
