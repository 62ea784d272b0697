import { Elysia } from "elysia";
import { badRequest, unauthorized } from "../../core/errors.ts";
import { bearerToken } from "../../http/bearer-token.ts";
import type { Http } from "../../http/http.ts";
import { responses } from "../../http/responses.ts";
import type { AccountParts } from "./accounts.parts.ts";
import { LogInBody, RefreshBody, SignedInOrChallenged, SignedOut, TokenPair } from "./accounts.schemas.ts";
import { emailRoutes } from "./email/email.routes.ts";
import { handoffRoutes } from "./handoff/handoff.routes.ts";
import { linkPageRoutes } from "./link-page/link-page.routes.ts";
import { meRoutes } from "./me.routes.ts";
import { mfaRoutes } from "./mfa/mfa.routes.ts";
import { passwordRoutes } from "./passwords/password.routes.ts";
import { logOut } from "./sessions/log-out.ts";
import { refreshSession } from "./sessions/refresh-session.ts";
import { sessionRoutes } from "./sessions/sessions.routes.ts";
import { tokenPair } from "./sessions/token-pair.ts";
import { logIn } from "./sign-in/log-in.ts";
import { intoCookie, signInReply } from "./sign-in/sign-in-reply.ts";
import { signUpRoutes } from "./sign-up.routes.ts";

/** All of `/auth` that is about accounts alone: signing in and out here, the rest in the files composed. Providers: `oauth`. */
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
    .use(meRoutes(http))
    .use(mfaRoutes(http, parts));

const tags = ["Authentication"];

const logInRoute = ({ open }: Http, parts: AccountParts) =>
  new Elysia({ name: "accounts.log-in", tags }).use(open).post(
    "/auth/login",
    async ({ context, client, body, set }) => {
      const { email, password, org_id: orgId, cookie = false } = body;
      parts.limits.logIn(set, client, email);
      const { passwords } = parts;
      const outcome = await logIn({ ...context, passwords }, { email, password, orgId, client, cookie });
      parts.limits.loggedIn(client, email);
      return signInReply(parts, set, outcome);
    },
    {
      body: LogInBody,
      response: responses({ 200: SignedInOrChallenged }, 400, 401, 429, "account_disabled", "not_a_member"),
      detail: {
        summary: "Sign in",
        description:
          "Opens a session with an e-mail address and a password, or, for an account with a second factor, answers with a challenge for `POST /auth/mfa/verify`. An unknown address and a wrong password have the same answer. 403: the account is disabled, or not a member of `org_id`. 10 attempts in 15 minutes for each client address and e-mail address, 100 for each client address.",
      },
    },
  );

const refreshRoute = ({ open }: Http, parts: AccountParts) =>
  new Elysia({ name: "accounts.refresh", tags }).use(open).post(
    "/auth/refresh",
    async ({ context, client, body, request, set }) => {
      const fromBody = body?.refresh_token;
      if (fromBody === undefined && !parts.cookie.isIn(request)) {
        throw badRequest("There is a refresh token neither in the body nor in the cookie.");
      }
      const whyNot = fromBody === undefined ? parts.cookie.whyNot(request) : undefined;
      if (whyNot !== undefined) throw unauthorized(whyNot);
      const used = parts.refreshTokens.read(fromBody ?? parts.cookie.read(request) ?? "");
      if (!used) throw unauthorized();
      parts.limits.refresh(set, used.sessionId);
      const pair = await tokenPair(parts, await refreshSession(context, { ...used, client }));
      return fromBody === undefined ? intoCookie(parts.cookie, set, pair) : pair;
    },
    {
      body: RefreshBody.optional(),
      response: responses({ 200: TokenPair }, 400, 401, 429),
      detail: {
        summary: "Get the next token pair",
        description:
          "Exchanges the session's newest refresh token, from the body or else from the cookie, for the next pair. Showing the same token again within 10 seconds yields the same next one, as long as that is unused; any other second use ends the session and those handed on from it. The cookie counts only in a same-origin request. A session ends 30 days after its last refresh and 90 days after the sign-in. 60 a minute for each session.",
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
      // Another site's page could otherwise sign people out: it has no token to show, and its request says where from.
      if (sessionIds.length > 0 || !parts.cookie.isForeign(request)) set.headers["set-cookie"] = parts.cookie.clear();
      await logOut(context, { sessionIds });
      return { status: "signed_out" } as const;
    },
    {
      body: RefreshBody.optional(),
      response: responses({ 200: SignedOut }, 400, 401),
      detail: {
        summary: "Sign out",
        description:
          "Ends the session of the refresh token (body or cookie), of the access token, or of both, and what was handed on from it, and clears the cookie. 401, the cookie cleared all the same, when none of them names an open session. A page of another origin that shows no token clears nothing.",
      },
    },
  );
