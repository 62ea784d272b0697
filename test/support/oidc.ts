/**
 * OpenID providers on loopback: a real one (oidc-provider), with a browser, and one whose responses a test
 * sets. Their servers end with the process.
 */
import { createHash, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import type { Clock } from "../../src/core/clock.ts";
import { TestClock } from "./clock.ts";
import { type Answer, type Installation, newInstallation } from "./installation.ts";
import { expectStatus } from "./school.ts";

const clientId = "windsock";
const clientSecret = "not-a-secret-but-long-enough-for-hs256";
const callbackUrl = "http://127.0.0.1:3000/auth/oauth/callback";

export const allowedPage = "http://127.0.0.1:3000/signed-in";

/** The environment of a provider, and of a page that sign-ins may redirect to. */
export const environment = (issuer: string, name = "GOOGLE"): Record<string, string> => ({
  [`WINDSOCK_OIDC_${name}_ISSUER`]: issuer,
  [`WINDSOCK_OIDC_${name}_CLIENT_ID`]: clientId,
  [`WINDSOCK_OIDC_${name}_CLIENT_SECRET`]: clientSecret,
  WINDSOCK_OAUTH_REDIRECTS: allowedPage,
});

/** A user of the provider. */
export interface Claims {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
  name?: string;
}

/** A sign-in that has begun. */
export interface Begun {
  authorizationUrl: string;
  /** The browser's cookie for `/auth/oauth`. */
  cookie: string;
}

export async function begin(
  at: Installation,
  { token, ...body }: { token?: string; redirect_to?: string; provider?: string; cookie?: boolean } = {},
): Promise<Begun> {
  const call = { body: { provider: "google", ...body }, ...(token !== undefined && { token }) };
  const { body: answer, headers } = expectStatus(200, await at.call("POST", "/auth/oauth/start", call));
  return {
    authorizationUrl: answer.data.authorization_url,
    cookie: headers.getSetCookie().join().split(";", 1).join(),
  };
}

/** Follows the provider's redirect. @param back the callback's query */
export const comeBack = (at: Installation, back: string, cookie?: string): Promise<Answer> =>
  at.call("GET", `/auth/oauth/callback?${back}`, { headers: cookie === undefined ? {} : { cookie } });

const rsa = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
/** Created once, because it takes long. */
const keys = rsa();
const jwk = (key: KeyObject) => ({ ...key.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" });

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> =>
  new URLSearchParams((await Array.fromAsync(request, String)).join(""));

/** Where a user of the provider signs in, or gives up. */
const ownPage = `<!doctype html><title>Provider</title><link rel="icon" href="data:,">
<form method="post"><h1>Sign in to the provider</h1>
<label>Account <input name="account"></label><button>Continue</button></form>
<form method="post"><button name="account" value="">Cancel</button></form>`;

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

export interface RealProvider {
  issuer: string;
  /** Sends a browser with a user to the provider. @returns the callback's query */
  visit(begun: Begun, who: Claims | "refuses"): Promise<string>;
}

interface RealOptions {
  /** The callback of the installation. */
  redirectUri?: string;
  /** Those who sign in on the provider's own page, by their `sub`. Without them it has no page. */
  users?: readonly Claims[];
}

export async function newRealProvider({ redirectUri = callbackUrl, users }: RealOptions = {}): Promise<RealProvider> {
  const people = new Map((users ?? []).map((one) => [one.sub, one]));
  let visitor: Claims | "refuses" = "refuses";
  const server = createServer();
  const issuer = await listen(server);
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [jwk(keys.privateKey)] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ["of a test"] },
    interactions: { url: (_, { uid }) => `/login/${uid}` },
    findAccount: async (_, id) => ({ accountId: id, claims: async () => people.get(id) ?? { sub: id } }),
    // The consent page is skipped.
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  const rest = provider.callback();
  const finish = (request: IncomingMessage, response: ServerResponse, accountId: string | null) =>
    provider.interactionFinished(request, response, accountId ? { login: { accountId } } : { error: "access_denied" });
  server.on("request", (request, response) => {
    if (!request.url?.startsWith("/login/")) return rest(request, response);
    if (users && request.method === "GET") return void response.setHeader("content-type", "text/html").end(ownPage);
    if (users) return void bodyOf(request).then((form) => finish(request, response, form.get("account")));
    void finish(request, response, visitor === "refuses" ? null : visitor.sub);
  });

  return {
    issuer,
    async visit({ authorizationUrl }, who) {
      visitor = who;
      if (who !== "refuses") people.set(who.sub, who);
      const jar = new Map<string, string>();
      for (let url = authorizationUrl; ; ) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
        const response = await fetch(url, { redirect: "manual", headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [name = "", value = ""] = line.split(";", 1).join().split("=");
          jar.set(name, value);
        }
        const location = response.headers.get("location");
        if (location === null)
          throw new Error(`The provider stopped with ${response.status}: ${await response.text()}`);
        url = new URL(location, url).href;
        if (url.startsWith(callbackUrl)) return new URL(url).search.slice(1);
      }
    },
  };
}

const providers = new WeakMap<Installation["app"], ScriptedProvider>();

/** An installation with `google`, which responds, `down`, which does not, and a page to redirect to. */
export async function newInstallationWithProvider({
  env,
  clock = new TestClock(),
  ...options
}: Parameters<typeof newInstallation>[0] = {}): Promise<Installation> {
  const provider = await newScriptedProvider(clock);
  const both = { ...environment(provider.issuer), ...environment("http://localhost:1", "DOWN") };
  const installation = await newInstallation({ ...options, clock, env: { ...both, ...env } });
  providers.set(installation.app, provider);
  return installation;
}

/** @returns the provider `google` of an installation of `newInstallationWithProvider` */
export function providerOf(at: Installation): ScriptedProvider {
  const provider = providers.get(at.app);
  if (!provider) throw new Error("This installation has no provider.");
  return provider;
}

interface Grant {
  claims: Claims;
  /** Claims to add to the id_token, or to replace. */
  token: Record<string, unknown>;
  nonce: string | null;
  challenge: string | null;
  redirectUri: string | null;
  key: KeyObject;
}

type Answering = (response: ServerResponse) => void;

export interface ScriptedProvider {
  issuer: string;
  /** Responses to send instead of the correct ones, by path. */
  instead: Map<string, Answering>;
  /** The requested paths. */
  asked: string[];
  /** Signs a user in at once. @returns the callback's query */
  admit(begun: Begun, claims: Claims, change?: { token?: Record<string, unknown>; key?: KeyObject }): string;
  close(): Promise<void>;
}

/** @param clock dates the tokens */
export async function newScriptedProvider(clock: Clock): Promise<ScriptedProvider> {
  const grants = new Map<string, Grant>();
  const instead = new Map<string, Answering>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const answer = instead.get(path);
    if (answer) return answer(response);
    void respond(request, path).then((body) => json(response, body));
  });
  const issuer = await listen(server);

  async function respond(request: IncomingMessage, path: string): Promise<object> {
    if (path === "/.well-known/openid-configuration") return metadata(issuer);
    if (path === "/jwks") return { keys: [jwk(keys.publicKey)] };
    if (path === "/userinfo")
      return grants.get(request.headers.authorization?.slice("Bearer ".length) ?? "")?.claims ?? {};
    const form = await bodyOf(request);
    const code = form.get("code") ?? "";
    const grant = grants.get(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const [, basic = ""] = request.headers.authorization?.split(" ") ?? [];
    const caller = decodeURIComponent(Buffer.from(basic, "base64").toString());
    const isRight =
      challenge === grant?.challenge &&
      form.get("redirect_uri") === grant.redirectUri &&
      caller === `${clientId}:${clientSecret}`;
    if (!grant || !isRight) return { error: "invalid_grant" };
    const iat = Math.floor(clock.now().getTime() / 1000);
    const { nonce, claims, token, key } = grant;
    const id_token = signed({ iss: issuer, aud: clientId, nonce, iat, exp: iat + 300, ...claims, ...token }, key);
    return { access_token: code, token_type: "Bearer", id_token };
  }

  return {
    issuer,
    instead,
    asked,
    admit({ authorizationUrl }, claims, { token = {}, key = keys.privateKey } = {}) {
      const { searchParams } = new URL(authorizationUrl);
      const code = `code-${grants.size}`;
      grants.set(code, {
        claims,
        token,
        key,
        nonce: searchParams.get("nonce"),
        challenge: searchParams.get("code_challenge"),
        redirectUri: searchParams.get("redirect_uri"),
      });
      return new URLSearchParams({ code, state: searchParams.get("state") ?? "", iss: issuer }).toString();
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The provider's metadata. */
export const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  authorization_response_iss_parameter_supported: true,
});

export function json(response: ServerResponse, body: object): void {
  response.statusCode = "error" in body ? 400 : 200;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}

function signed(claims: object, key: KeyObject): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${encode({ alg: "RS256", kid: "one" })}.${encode(claims)}`;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(key, "base64url")}`;
}

/** A key of another issuer. */
export const strangersKey = (): KeyObject => rsa().privateKey;
