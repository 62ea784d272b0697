/** Somebody who comes to a server through an OpenID provider. */
import { expect } from "bun:test";
import { systemClock } from "../../src/core/clock.ts";
import { environment, newScriptedProvider } from "../support/oidc.ts";

/** A provider, and the environment of a server that knows it. */
export async function openProvider() {
  const provider = await newScriptedProvider(systemClock);
  // A server of a story takes any free port, so nobody knows its pages beforehand.
  return { provider, env: { ...environment(provider.issuer), WINDSOCK_OAUTH_REDIRECTS: "" } };
}

/** Metadata, tokens, keys and claims are fetched by the server itself, whatever runs it. */
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
