/** An OpenID provider: authorization and identification. Only this file and `bounded-fetch.ts` use openid-client. */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  clockSkew,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  type ServerMetadata,
} from "openid-client";
import { type Clock, hasPassed, hours, seconds } from "../../../core/clock.ts";
import { badGateway, badRequest, Problem } from "../../../core/errors.ts";
import { boundedFetch } from "./bounded-fetch.ts";

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Secrets that bind the response of the provider to one sign-in. */
export interface Secrets {
  state: string;
  nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  codeVerifier: string;
}

/** A person, as the provider describes them. Only `issuer` and `subject` are always present and never change. */
export interface Person {
  /** The issuer in the provider's metadata. */
  issuer: string;
  subject: string;
  email: string | undefined;
  /** Whether the provider has verified the address. */
  emailVerified: boolean;
  name: string | undefined;
}

export interface Provider {
  readonly name: string;
  /** Returns the address to send the browser to. @throws BAD_GATEWAY */
  authorizationUrl(secrets: Secrets): Promise<string>;
  /**
   * Returns the person who has signed in at the provider.
   *
   * @param callback the address of the callback with the query of the request
   * @throws BAD_GATEWAY the provider is unreachable, or its response is invalid
   * @throws BAD_REQUEST the provider does not know the code
   */
  identify(callback: URL, secrets: Secrets): Promise<Person>;
}

interface ProviderDeps {
  clock: Clock;
  /** The address that the provider redirects the browser to. */
  callbackUrl: string;
  /** Milliseconds for the metadata, and again for all other requests of one sign-in step. */
  timeout?: number;
}

/** Twice this is less than the 10 seconds after which Bun closes an idle connection. */
const TIMEOUT = seconds(4.5);

/** How long a provider's metadata are cached. Its keys are fetched for each sign-in. */
const METADATA_LIFETIME = hours(1);

export function createProvider(name: string, settings: ProviderSettings, deps: ProviderDeps): Provider {
  const { clock, callbackUrl, timeout = TIMEOUT } = deps;
  const metadata = cached(clock, () => discover(settings, AbortSignal.timeout(timeout)));

  /** Creates a configuration per call: it holds the offset to our clock and the time limit. */
  const configure = async (): Promise<Configuration> => {
    const server = await metadata();
    const { clientId, clientSecret, issuer } = settings;
    const skew = Math.round((clock.now().getTime() - Date.now()) / 1000);
    const configuration = new Configuration(
      server,
      clientId,
      { [clockSkew]: skew },
      authentication(server, clientSecret),
    );
    configuration[customFetch] = boundedFetch(AbortSignal.timeout(timeout));
    if (isPlain(issuer)) allowInsecureRequests(configuration);
    // By default, the library does not check the signature of a token received over TLS.
    enableNonRepudiationChecks(configuration);
    return configuration;
  };

  return {
    name,
    authorizationUrl: async ({ state, nonce, codeVerifier }) =>
      orBadGateway(async () => {
        const { href } = buildAuthorizationUrl(await configure(), {
          redirect_uri: callbackUrl,
          scope: "openid email profile",
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: "S256",
        });
        return href;
      }),
    identify: async (callback, { state, nonce, codeVerifier }) =>
      orBadGateway(async () => {
        const configuration = await configure();
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
        const tokens = await authorizationCodeGrant(configuration, callback, checks);
        const claims = tokens.claims();
        if (claims === undefined) throw new Error("There is no id_token.");
        const needsUserInfo =
          claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
        // Many providers return only the subject in the token, and the rest from the userinfo endpoint.
        const more = needsUserInfo ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
        const { issuer } = configuration.serverMetadata();
        return personIn(issuer, { ...claims, ...more, sub: claims.sub });
      }),
  };
}

async function discover({ issuer, clientId }: ProviderSettings, deadline: AbortSignal): Promise<ServerMetadata> {
  const found = await discovery(new URL(issuer), clientId, undefined, undefined, {
    [customFetch]: boundedFetch(deadline),
    ...(isPlain(issuer) && { execute: [allowInsecureRequests] }),
  });
  const metadata = found.serverMetadata();
  // Unusable metadata must not be cached.
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const)
    if (metadata[name] === undefined) throw new Error(`The provider's metadata have no ${name}.`);
  return metadata;
}

const isPlain = (issuer: string) => issuer.startsWith("http:");

/** A provider that names no method supports `client_secret_basic` (OpenID Connect Discovery 1.0, 3). */
function authentication({ token_endpoint_auth_methods_supported: methods }: ServerMetadata, clientSecret: string) {
  const onlyInBody = methods !== undefined && !methods.includes("client_secret_basic");
  return onlyInBody ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
}

/**
 * Up to 255 ASCII characters, compared byte for byte (OpenID Connect Core 1.0, 2). Other characters are rejected: SQLite
 * stores every lone surrogate as the same character, so two persons could have one subject.
 */
const SUBJECT = /^[ -~]{1,255}$/;

function personIn(issuer: string, claims: Readonly<Record<string, unknown>> & { sub: string }): Person {
  const { sub, email, email_verified: verified, name } = claims;
  if (!SUBJECT.test(sub)) throw new Error("The subject is not 1 to 255 ASCII characters.");
  return {
    issuer,
    subject: sub,
    email: typeof email === "string" ? email : undefined,
    // Some providers send booleans as text.
    emailVerified: verified === true || verified === "true",
    name: typeof name === "string" ? name : undefined,
  };
}

/** Turns errors of the provider into BAD_GATEWAY: the caller cannot correct them. */
async function orBadGateway<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (error instanceof ResponseBodyError && error.error === "invalid_grant")
      throw badRequest("The provider does not know this code. Start again.");
    throw badGateway("The provider's response is invalid or missing. Try again later.", error);
  }
}

/** Caches the result for `METADATA_LIFETIME`. Concurrent callers share one request. A failure is not cached. */
function cached<T>(clock: Clock, load: () => Promise<T>): () => Promise<T> {
  let known: { result: Promise<T>; since: Date } | undefined;
  return () => {
    const now = clock.now();
    if (known && !hasPassed(METADATA_LIFETIME, { since: known.since, now })) return known.result;
    const result = load();
    const entry = { result, since: now };
    known = entry;
    result.catch(() => {
      if (known === entry) known = undefined;
    });
    return result;
  };
}
