import type { UserActor } from "../../../core/actor.ts";
import type { KeyRing } from "../../../core/crypto.ts";
import { invalid } from "../../../core/errors.ts";
import type { Context } from "../../../storage/context.ts";
import { requireStepUp } from "../mfa/require-step-up.ts";
import { beginFlow, FLOW_LIFETIME } from "./flows.ts";
import type { Provider } from "./provider.ts";

export interface OAuth {
  keys: KeyRing;
  /** By name. */
  providers: ReadonlyMap<string, Provider>;
  /** Pages that a sign-in may redirect to. */
  redirects: readonly string[];
}

interface Start {
  provider: string;
  redirectTo?: string | undefined;
  /** Whether the refresh token goes into the cookie. */
  cookie: boolean;
}

export interface Started {
  authorizationUrl: string;
  /** Stored in a cookie: only the browser that has it can finish the sign-in. */
  browserToken: string;
  expiresIn: number;
}

/**
 * Starts a sign-in at a provider. For a signed-in caller, it links the account there to the caller's. It writes no audit
 * row: anyone may start any number of sign-ins, and a start has no effect.
 *
 * @throws STEP_UP_REQUIRED the signed-in caller has a second factor and has not verified it recently
 * @throws VALIDATION_ERROR the provider is not configured, or the page to return to is not allowed
 * @throws BAD_GATEWAY      the provider is unreachable
 */
export async function startOAuth(
  context: Context<UserActor | { kind: "anonymous" }> & OAuth,
  { provider: name, redirectTo, cookie }: Start,
): Promise<Started> {
  const { actor, providers, redirects } = context;
  // A linked provider is another way to sign in.
  await requireStepUp(context);
  const provider = providers.get(name);
  if (!provider)
    throw invalid({
      path: "provider",
      code: "unknown",
      message: "The provider is not configured. See `oauth_providers` in `/capabilities`.",
    });
  if (redirectTo !== undefined && !redirects.includes(redirectTo))
    throw invalid({ path: "redirect_to", code: "unknown", message: "The operator has not allowed this page." });

  // Loaded with the first provider.
  const { randomNonce, randomPKCECodeVerifier, randomState } = await import("openid-client");
  const secrets = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
  const authorizationUrl = await provider.authorizationUrl(secrets);
  const beginner = actor.kind === "user" ? { userId: actor.userId, sessionId: actor.sessionId } : undefined;
  const flow = {
    ...{ provider: name, secrets, beginner, redirectTo: redirectTo ?? null },
    // After a redirect, the page gets the refresh token in the cookie only.
    cookie: cookie || redirectTo !== undefined,
  };
  const browserToken = await beginFlow(context, flow);
  return { authorizationUrl, browserToken, expiresIn: FLOW_LIFETIME / 1000 };
}
