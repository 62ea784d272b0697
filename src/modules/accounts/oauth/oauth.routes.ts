import { Elysia } from "elysia";
import type { Http } from "../../../http/http.ts";
import { data, redirection, responses } from "../../../http/responses.ts";
import type { AccountParts } from "../accounts.parts.ts";
import { SignedInOrChallenged } from "../accounts.schemas.ts";
import { signInReply } from "../sign-in-reply.ts";
import { type BrowserCookie, createBrowserCookie } from "./browser-cookie.ts";
import { finishOAuth } from "./finish-oauth.ts";
import { takeFlow } from "./flows.ts";
import { CallbackQuery, StartBody, Started } from "./oauth.schemas.ts";
import { createProvider, type ProviderSettings } from "./provider.ts";
import { type OAuth, startOAuth } from "./start-oauth.ts";

interface OAuthSettings {
  /** By name. */
  oidcProviders: ReadonlyMap<string, ProviderSettings>;
  /** Pages that a sign-in may lead back to. */
  oauthRedirects: readonly string[];
}

const CALLBACK = "/auth/oauth/callback";

/** `/auth/oauth/start` and `/auth/oauth/callback` */
export function oauthRoutes(
  http: Http,
  parts: AccountParts,
  { oidcProviders, oauthRedirects: redirects }: OAuthSettings,
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
    .use(callbackRoute(http, parts, { oauth, browser, callbackUrl }));
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
      response: responses({ 200: Beginning }, 400, 401, 403, 502),
      detail: {
        summary: "Begin a sign-in through a provider",
        description:
          "Answers with where to send the browser, and marks this browser with the cookie `svc_oauth`: only it can end the sign-in, once, within 10 minutes. Whoever is signed in links the account at the provider to theirs. 400: no such provider, or `redirect_to` is not allowed. 403: linking takes a step-up, for an account with a second factor. 502: the provider is out of reach.",
      },
    },
  );

interface Callback {
  oauth: OAuth;
  browser: BrowserCookie;
  callbackUrl: string;
}

const callbackRoute = ({ open }: Http, parts: AccountParts, { oauth, browser, callbackUrl }: Callback) =>
  new Elysia({ name: "oauth.callback", tags }).use(open).get(
    "/auth/oauth/callback",
    async ({ context, client, query: { state, error }, request, set }) => {
      const flow = await takeFlow({ ...context, ...oauth }, state, browser.read(request));
      const cookies = [browser.clear()];
      set.headers["set-cookie"] = cookies;
      const answer = new URL(new URL(request.url).search, callbackUrl);
      const outcome = await finishOAuth({ ...context, ...oauth }, { flow, error, answer, client });

      const given: Parameters<typeof signInReply>[1] = { headers: {} };
      const reply = await signInReply(parts, given, outcome);
      cookies.push(...[given.headers["set-cookie"] ?? []].flat().map(String));
      if (flow.redirectTo === null) return reply;
      return Response.redirect(returnTo(flow.redirectTo, reply), 303);
    },
    {
      query: CallbackQuery,
      response: responses({ 200: SignedInOrChallenged, 303: redirection }, 400, 401, 502),
      detail: {
        summary: "End a sign-in through a provider",
        description:
          "Where the provider sends the browser. Answers as a login does; or, with the `redirect_to` it was begun with, leads there, with the refresh token in the cookie `svc_refresh`, or with the challenge in the fragment as `mfa_token` and `expires_in`. 400: this browser began no such sign-in, or it is over. 401: the provider refuses, does not vouch for the e-mail address, or the address has an account that is not linked; or the account is disabled. 502: the provider is out of reach, or its answer is not to be believed.",
      },
    },
  );

/** The page, and a challenge in its fragment, which no server sees. */
function returnTo(page: string, reply: Awaited<ReturnType<typeof signInReply>>): string {
  const url = new URL(page);
  if ("mfa_token" in reply) {
    const { mfa_token, expires_in } = reply;
    url.hash = new URLSearchParams({ mfa_token, expires_in: String(expires_in) }).toString();
  }
  return url.href;
}
