import { Elysia } from "elysia";
import { Problem } from "../../../core/errors.ts";
import { once } from "../../../core/once.ts";
import { describeError } from "../../../http/error-log.ts";
import type { Http } from "../../../http/http.ts";
import { jsonText } from "../../../http/json-text.ts";
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
import type { createProvider, Provider, ProviderSettings } from "./provider.ts";
import { type OAuth, startOAuth } from "./start-oauth.ts";

export interface OAuthSettings {
  /** By name. */
  oidcProviders: ReadonlyMap<string, ProviderSettings>;
  /** Pages that a sign-in may redirect to. */
  oauthRedirects: readonly string[];
}

const CALLBACK = "/auth/oauth/callback";

/** The provider, whose library is loaded with the first sign-in. */
function providerOf(...[name, settings, deps]: Parameters<typeof createProvider>): Provider {
  const loaded = once(async () => (await import("./provider.ts")).createProvider(name, settings, deps));
  return {
    name,
    authorizationUrl: async (secrets) => (await loaded()).authorizationUrl(secrets),
    identify: async (callback, secrets) => (await loaded()).identify(callback, secrets),
  };
}

/** `/auth/oauth/start`, `/auth/oauth/callback` and `/auth/identities` */
export function oauthRoutes(
  http: Http,
  parts: AccountParts,
  { oidcProviders, oauthRedirects: redirects, log }: OAuthSettings & { log: Log },
) {
  const { clock, keys, publicUrl } = parts;
  const callbackUrl = `${publicUrl}${CALLBACK}`;
  const providers = new Map(
    [...oidcProviders].map(([name, settings]) => [name, providerOf(name, settings, { clock, callbackUrl })]),
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
    async ({ context, body: { provider, redirect_to: redirectTo, cookie = false }, set }) => {
      const { authorizationUrl, browserToken, expiresIn } = await startOAuth(
        { ...context, ...oauth },
        { provider, redirectTo, cookie },
      );
      set.headers["set-cookie"] = browser.set(browserToken, expiresIn);
      return { data: { authorization_url: authorizationUrl, expires_in: expiresIn } };
    },
    {
      body: StartBody,
      response: responses({ 200: Beginning }, 400, 401, 502, "step_up_required"),
      detail: {
        summary: "Start a sign-in through a provider",
        description:
          "Returns the address to send the browser to, and sets the cookie `svc_oauth`: only this browser can finish the sign-in, once, within 10 minutes. If the caller is signed in, links the account at the provider to theirs. 400: no such provider, or `redirect_to` is not allowed. Only linking requires a step-up. 502: the provider is unreachable.",
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
  const { mailer, publicUrl, signUp } = parts;

  return new Elysia({ name: "oauth.callback", tags }).use(open).get(
    "/auth/oauth/callback",
    async ({ context, client, query: { state, error }, request, set }) => {
      const flow = await takeFlow({ ...context, ...oauth }, state, browser.read(request));
      const cookies = [browser.clear()];
      set.headers["set-cookie"] = cookies;
      const callback = new URL(new URL(request.url).search, callbackUrl);
      const finishContext = { ...context, ...oauth, mailer, publicUrl, signUp };
      const outcome = await finishOAuth(finishContext, { flow, error, callback, client }).catch((thrown: unknown) => {
        if (flow.redirectTo === null || !(thrown instanceof Problem)) throw thrown;
        return thrown;
      });
      if (outcome instanceof Problem) {
        const { code, cause } = outcome;
        // The response is a redirect, so its status does not show the failure.
        const about = {
          request_id: context.requestId,
          code,
          ...(cause !== undefined && { error: describeError(cause) }),
        };
        log[code === "BAD_GATEWAY" ? "error" : "info"](about, "A sign-in through a provider failed.");
        return Response.redirect(errorRedirect(flow.redirectTo ?? "", outcome), 303);
      }

      const signInSet: Parameters<typeof signInReply>[1] = { headers: {} };
      const reply = await signInReply(parts, signInSet, outcome);
      cookies.push(...[signInSet.headers["set-cookie"] ?? []].flat().map(String));
      // Not the object: with several cookies, Elysia sends an object as text on Deno.
      if (flow.redirectTo === null) return jsonText(JSON.stringify(reply));
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
        "sign_up_closed",
        "unverified",
      ),
      detail: {
        summary: "Finish a sign-in through a provider",
        description:
          "The provider redirects the browser here. Responds as a login does. If the sign-in was started with `redirect_to`, redirects there: with the refresh token in the cookie `svc_refresh`, or with the challenge in the fragment as `mfa_token` and `expires_in`. Errors are then in the fragment as `error` (`access_denied`, `account_disabled`, `account_exists`, `linked_elsewhere`, `session_over`, `sign_up_closed`, `unverified`, `bad_request`, `bad_gateway`) and `error_description`, unless this browser did not start the sign-in. Otherwise: 400: this browser did not start the sign-in, or it has ended. 403: the account would be a new one, and nobody may sign up without an invite. 401: the provider denied access or has not verified the e-mail address, the address has an account that is not linked, or the account is disabled. 502: the provider is unreachable, or its response is invalid.",
      },
    },
  );
}

/** Returns the page's address with a challenge in its fragment, which is not sent to the server. */
function returnTo(page: string, reply: Awaited<ReturnType<typeof signInReply>>): string {
  const url = new URL(page);
  if ("mfa_token" in reply) {
    const { mfa_token, expires_in } = reply;
    url.hash = new URLSearchParams({ mfa_token, expires_in: String(expires_in) }).toString();
  }
  return url.href;
}

/** Returns the page's address with the error and a message in its fragment, which is not sent to the server. */
function errorRedirect(page: string, problem: Problem): string {
  const url = new URL(page);
  url.hash = new URLSearchParams({ error: errorOf(problem), error_description: problem.message }).toString();
  return url.href;
}

/** Returns the reason of a rejected sign-in, or the code of another problem, such as `bad_gateway`. */
function errorOf({ code, reason }: Problem): string {
  // The same name as in the response to a login.
  if (reason === "linked_account_disabled") return "account_disabled";
  const isOfSignIn = code === "UNAUTHORIZED" || reason === "sign_up_closed";
  return isOfSignIn && reason !== undefined ? reason : code.toLowerCase();
}
