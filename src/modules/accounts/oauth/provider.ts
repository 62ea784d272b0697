/** An OpenID provider: where a sign-in goes on, and who came back from there. All that names openid-client. */
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
import { type Clock, hours, seconds } from "../../../core/clock.ts";
import { badGateway, badRequest, Problem } from "../../../core/errors.ts";
import { boundedFetch } from "./bounded-fetch.ts";

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** What ties an answer to the question: made for one sign-in, and never twice. */
export interface Secrets {
  state: string;
  nonce: string;
  /** Of PKCE (RFC 7636). */
  codeVerifier: string;
}

/** Somebody, as the provider knows them. Only `issuer` and `subject` are sure to be there, and to stay. */
export interface Person {
  /** As the provider calls itself in its metadata. */
  issuer: string;
  subject: string;
  email: string | undefined;
  /** Whether the provider says that the address is theirs. */
  emailVerified: boolean;
  name: string | undefined;
}

export interface Provider {
  readonly name: string;
  /** Where the browser goes. @throws BAD_GATEWAY */
  authorizationUrl(secrets: Secrets): Promise<string>;
  /**
   * Who came back.
   *
   * @param answer the callback's address, with the query it was called with
   * @throws BAD_GATEWAY the provider is out of reach, or its answer is not to be believed
   * @throws BAD_REQUEST the provider does not know the code
   */
  identify(answer: URL, secrets: Secrets): Promise<Person>;
}

interface ProviderDeps {
  clock: Clock;
  /** The address that the provider sends the browser back to. */
  callbackUrl: string;
  /** Milliseconds for the metadata, and as many again for all else that is asked during one request. */
  timeout?: number;
}

/** Together less than the 10 seconds after which Bun cuts a connection on which nothing happens. */
const TIMEOUT = seconds(4.5);

/** How long a provider's metadata are taken for true. Its keys are fetched anew for each sign-in. */
const METADATA_LIFETIME = hours(1);

export function createProvider(name: string, settings: ProviderSettings, deps: ProviderDeps): Provider {
  const { clock, callbackUrl, timeout = TIMEOUT } = deps;
  const metadata = cached(clock, () => discover(settings, AbortSignal.timeout(timeout)));

  /** Made for the occasion: the library keeps its distance to our clock, and its time limit, in there. */
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
    // By default a token that came over TLS is not looked at any closer.
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
    identify: async (answer, { state, nonce, codeVerifier }) =>
      orBadGateway(async () => {
        const configuration = await configure();
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
        const tokens = await authorizationCodeGrant(configuration, answer, checks);
        const claims = tokens.claims();
        if (claims === undefined) throw new Error("There is no id_token.");
        const asksAgain = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
        // Many leave all but the subject out of the token, and keep it where it is asked for.
        const more = asksAgain ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
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
  // What can't be worked with must not be kept for an hour.
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const)
    if (metadata[name] === undefined) throw new Error(`The provider's metadata have no ${name}.`);
  return metadata;
}

const isPlain = (issuer: string) => issuer.startsWith("http:");

/** `client_secret_basic` is what a provider takes that names nothing (OpenID Connect Discovery 1.0, 3). */
function authentication({ token_endpoint_auth_methods_supported: methods }: ServerMetadata, clientSecret: string) {
  const onlyInBody = methods !== undefined && !methods.includes("client_secret_basic");
  return onlyInBody ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
}

function personIn(issuer: string, claims: Readonly<Record<string, unknown>> & { sub: string }): Person {
  const { sub, email, email_verified: verified, name } = claims;
  return {
    issuer,
    subject: sub,
    email: typeof email === "string" ? email : undefined,
    // Some providers write their booleans as text.
    emailVerified: verified === true || verified === "true",
    name: typeof name === "string" ? name : undefined,
  };
}

/** Whatever goes wrong between us and a provider, no caller can do anything about it. */
async function orBadGateway<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (error instanceof ResponseBodyError && error.error === "invalid_grant")
      throw badRequest("The provider does not know this code: begin again.");
    throw badGateway("The provider does not answer as it should. Try again later.", error);
  }
}

/** Asks once for all who want to know at the same time, and again after a while, or at once after a failure. */
function cached<T>(clock: Clock, ask: () => Promise<T>): () => Promise<T> {
  let known: { answer: Promise<T>; until: number } | undefined;
  return () => {
    const now = clock.now().getTime();
    if (known && now < known.until) return known.answer;
    const answer = ask();
    const entry = { answer, until: now + METADATA_LIFETIME };
    known = entry;
    answer.catch(() => {
      if (known === entry) known = undefined;
    });
    return answer;
  };
}
