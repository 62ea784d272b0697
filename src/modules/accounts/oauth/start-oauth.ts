import { randomNonce, randomPKCECodeVerifier, randomState } from "openid-client";
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
  /** Pages that a sign-in may lead back to. */
  redirects: readonly string[];
}

interface Start {
  provider: string;
  redirectTo?: string | undefined;
}

export interface Started {
  authorizationUrl: string;
  /** What this browser, and no other, has to bring back. */
  mark: string;
  expiresIn: number;
}

/**
 * Begins a sign-in at a provider; for somebody who is signed in, one that links the account there to theirs. It writes
 * nothing to the audit log: anybody may do this without end, and nothing has come of it yet.
 *
 * @throws STEP_UP_REQUIRED whoever is signed in has a second factor and has not just shown it
 * @throws VALIDATION_ERROR the provider is not configured, or the page to return to is not allowed
 * @throws BAD_GATEWAY      the provider is out of reach
 */
export async function startOAuth(
  context: Context<UserActor | { kind: "anonymous" }> & OAuth,
  { provider: name, redirectTo }: Start,
): Promise<Started> {
  const { actor, providers, redirects } = context;
  // A linked account at a provider is another way in.
  await requireStepUp(context);
  const provider = providers.get(name);
  if (!provider) throw invalid({ path: "provider", code: "invalid_value", message: "There is no such provider here." });
  if (redirectTo !== undefined && !redirects.includes(redirectTo))
    throw invalid({ path: "redirect_to", code: "invalid_value", message: "Not a page that the operator has allowed." });

  const secrets = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
  const authorizationUrl = await provider.authorizationUrl(secrets);
  const beginner = actor.kind === "user" ? { userId: actor.userId, sessionId: actor.sessionId } : undefined;
  const mark = await beginFlow(context, { provider: name, secrets, beginner, redirectTo: redirectTo ?? null });
  return { authorizationUrl, mark, expiresIn: FLOW_LIFETIME / 1000 };
}
