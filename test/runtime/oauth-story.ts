/** A user who signs in through an OpenID provider. */
import { expect } from "bun:test";
import { systemClock } from "../../src/core/clock.ts";
import { environment, newScriptedProvider } from "../support/oidc.ts";

/** A provider, and the environment of a server that uses it. */
export async function openProvider() {
  const provider = await newScriptedProvider(systemClock);
  // The server listens on any free port, so its pages are not known before.
  return { provider, env: { ...environment(provider.issuer), WINDSOCK_OAUTH_REDIRECTS: "" } };
}

/** The server fetches metadata, tokens, keys and claims, on any runtime. */
export async function comeThroughAProvider(url: string, { provider }: Awaited<ReturnType<typeof openProvider>>) {
  const started = await fetch(`${url}/auth/oauth/start`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ provider: "google" }),
  });
  const cookie = started.headers.getSetCookie().join().split(";", 1).join();
  const { data } = await started.json();
  const begun = { authorizationUrl: data.authorization_url, cookie };
  const back = provider.admit(begun, { sub: "paula-1", email: "paula@example.com", email_verified: true });
  const ended = await fetch(`${url}/auth/oauth/callback?${back}`, { headers: { cookie } });
  expect([started.status, ended.status]).toEqual([200, 200]);
  expect(await ended.json()).toMatchObject({ token_type: "Bearer", access_token: expect.any(String) });
}
