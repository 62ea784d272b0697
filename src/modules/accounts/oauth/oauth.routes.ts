import { Elysia } from "elysia";
import { Problem } from "../../../core/errors.ts";
import { describeError } from "../../../http/error-log.ts";
import type { Http } from "../../../http/http.ts";
import type { Log } from "../../../http/request-log.ts";
import { data, redirection, responses } from "../../../http/responses.ts";
import type { AccountParts } from "../accounts.parts.ts";
import { SignedInOrChallenged } from "../accounts.schemas.ts";
import { signInReply } from "../sign-in/sign-in-reply.ts";
import { type BrowserCookie, createBrowserCookie } from "./browser-cookie.ts";
import { finishOAuth } from "./finish-oauth.ts";
import { takeFlow } from "./flows.ts";
import { identityRoutes } from "./identities.routes.ts";
import { CallbackQuery, StartBody, Started } from "./oauth.schemas.ts";
import { createProvider, type ProviderSettings } from "./provider.ts";
import { returnRefused } from "./refusal.ts";
import { type OAuth, startOAuth } from "./start-oauth.ts";

interface OAuthSettings {
  /** By name. */
  oidcProviders: ReadonlyMap<string, ProviderSettings>;
  /** Pages that a sign-in may lead back to. */
  oauthRedirects: readonly string[];
}

const CALLBACK = "/auth/oauth/callback";

/** `/auth/oauth/start`, `/auth/oauth/callback` and `/auth/identities` */
export function oauthRoutes(
  http: Http,
  parts: AccountParts,
  { oidcProviders, oauthRedirects: redirects, log }: OAuthSettings & { log: Log },
) {
  const { clock, keys, publicUrl } = parts;
  const callbackUrl = `${publicUrl}${CALLBACK}`;
  const providers = new Map(
    [...oidcProviders].map(([name, settings]) => [name, createProvider(name, settings, { clock, callbackUrl })]),
  );
  const oauth = { keys, providers, redirects };
  const browser = createBrowserCookie(publicUrl);
  return new Elysia({ name: "oauth" })
    .use(startRoute(http, oauth, browser))
    .use(identityRoutes(http, oauth))
    .use(callbackRoute(http, parts, { oauth, browser, callbackUrl, log }));
}

const tags = ["Authentication"];
const Beginning = data(Started);

const startRoute = ({ maybeSignedIn }: Http, oauth: OAuth, browser: BrowserCookie) =>
  new Elysia({ name: "oauth.start", tags }).use(maybeSignedIn).post(
    "/auth/oauth/start",
    async ({ context, body: { provider, redirect_to: redirectTo }, set }) => {
      const { authorizationUrl, mark, expiresIn } = await startOAuth(
        { ...context, ...oauth },
        { provider, redirectTo },
      );
      set.headers["set-cookie"] = browser.set(mark, expiresIn);
      return { data: { authorization_url: authorizationUrl, expires_in: expiresIn } };
    },
    {
      body: StartBody,
      response: responses({ 200: Beginning }, 400, 401, 502, "step_up_required"),
      detail: {
        summary: "Begin a sign-in through a provider",
        description:
          "Answers with where to send the browser, and marks this browser with the cookie `svc_oauth`: only it can end the sign-in, once, within 10 minutes. Whoever is signed in links the account at the provider to theirs. 400: no such provider, or `redirect_to` is not allowed. Only linking requires a step-up. 502: the provider is out of reach.",
      },
    },
  );

interface Callback {
  oauth: OAuth;
  browser: BrowserCookie;
  callbackUrl: string;
  log: Log;
}

function callbackRoute({ open }: Http, parts: AccountParts, { oauth, browser, callbackUrl, log }: Callback) {
  const { mailer, publicUrl } = parts;

  return new Elysia({ name: "oauth.callback", tags }).use(open).get(
    "/auth/oauth/callback",
    async ({ context, client, query: { state, error }, request, set }) => {
      const flow = await takeFlow({ ...context, ...oauth }, state, browser.read(request));
      const cookies = [browser.clear()];
      set.headers["set-cookie"] = cookies;
      const answer = new URL(new URL(request.url).search, callbackUrl);
      const desk = { ...context, ...oauth, mailer, publicUrl };
      const outcome = await finishOAuth(desk, { flow, error, answer, client }).catch((thrown: unknown) => {
        if (flow.redirectTo === null || !(thrown instanceof Problem)) throw thrown;
        return thrown;
      });
      if (outcome instanceof Problem) {
        const { code, cause } = outcome;
        // An answer that leads elsewhere is a success to whoever looks at its status.
        const about = {
          request_id: context.requestId,
          code,
          ...(cause !== undefined && { error: describeError(cause) }),
        };
        log[code === "BAD_GATEWAY" ? "error" : "info"](about, "A sign-in through a provider came to nothing.");
        return Response.redirect(returnRefused(flow.redirectTo ?? "", outcome), 303);
      }

      const given: Parameters<typeof signInReply>[1] = { headers: {} };
      const reply = await signInReply(parts, given, outcome);
      cookies.push(...[given.headers["set-cookie"] ?? []].flat().map(String));
      if (flow.redirectTo === null) return reply;
      return Response.redirect(returnTo(flow.redirectTo, reply), 303);
    },
    {
      query: CallbackQuery,
      response: responses(
        { 200: SignedInOrChallenged, 303: redirection },
        400,
        401,
        502,
        "access_denied",
        "account_exists",
        "linked_account_disabled",
        "linked_elsewhere",
        "session_over",
        "unverified",
      ),
      detail: {
        summary: "End a sign-in through a provider",
        description:
          "Where the provider sends the browser. Answers as a login does; or, with the `redirect_to` it was begun with, leads there, with the refresh token in the cookie `svc_refresh`, or with the challenge in the fragment as `mfa_token` and `expires_in`; there, refusals are in the fragment as well, as `error` (`access_denied`, `account_disabled`, `account_exists`, `linked_elsewhere`, `session_over`, `unverified`, `bad_request`, `bad_gateway`) and `error_description`, once this browser is known to have begun. Else, 400: this browser began no such sign-in, or it is over. 401: the provider refuses, does not vouch for the e-mail address, or the address has an account that is not linked; or the account is disabled. 502: the provider is out of reach, or its answer is not to be believed.",
      },
    },
  );
}

/** The page, and a challenge in its fragment, which no server sees. */
function returnTo(page: string, reply: Awaited<ReturnType<typeof signInReply>>): string {
  const url = new URL(page);
  if ("mfa_token" in reply) {
    const { mfa_token, expires_in } = reply;
    url.hash = new URLSearchParams({ mfa_token, expires_in: String(expires_in) }).toString();
  }
  return url.href;
}
