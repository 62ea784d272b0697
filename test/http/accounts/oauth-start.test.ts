import { describe, expect, test } from "bun:test";
import type { ServerResponse } from "node:http";
import { hours, minutes } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/crypto.ts";
import { sessionCleanup } from "../../../src/modules/accounts/accounts.jobs.ts";
import { oauthFlows } from "../../../src/modules/accounts/oauth/oauth.tables.ts";
import { createProvider } from "../../../src/modules/accounts/oauth/provider.ts";
import { TestClock } from "../../support/clock.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { summaryOf } from "../../support/jobs.ts";
import { allowedPage, begin, environment, json, metadata, newScriptedProvider } from "../../support/oidc.ts";
import { expectStatus, times } from "../../support/school.ts";
import { enroll, step } from "../../support/second-factor.ts";
import { actions, signUp } from "./newcomers.ts";

async function scene(env: Record<string, string> = {}) {
  const clock = new TestClock();
  const provider = await newScriptedProvider(clock);
  const at = await newInstallation({ clock, env: { ...environment(provider.issuer), ...env } });
  return { at, provider, clock };
}

const start = (at: Installation, body: object, token?: string) =>
  at.call("POST", "/auth/oauth/start", { body, ...(token !== undefined && { token }) });

const flows = (at: Installation) => at.storage.control.read((reader) => reader.select().from(oauthFlows));

describe("POST /auth/oauth/start", () => {
  test("returns the authorization address, and sets a cookie for ten minutes", async () => {
    const { at, provider } = await scene();
    const answer = expectStatus(200, await start(at, { provider: "google" }));
    expect(answer.body.data.expires_in).toBe(600);
    const url = new URL(answer.body.data.authorization_url);
    expect(`${url.origin}${url.pathname}`).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "windsock",
      response_type: "code",
      scope: "openid email profile",
      redirect_uri: "http://127.0.0.1:3000/auth/oauth/callback",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^svc_oauth=[\w-]{43}; Max-Age=600; Path=\/auth\/oauth; HttpOnly; SameSite=Lax$/),
    ]);
    expect(await actions(at)).toEqual([]);
  });

  test("requires a step-up to link, of an account with a second factor", async () => {
    const { at } = await scene();
    const olga = await signUp(at);
    const linking = () => start(at, { provider: "google" }, olga.token);
    expect((await linking()).status).toBe(200);
    const factor = await enroll(at, olga);
    const refused = await linking();
    expect([refused.status, refused.body.error.code]).toEqual([403, "STEP_UP_REQUIRED"]);
    expectStatus(200, await step(at, olga, await factor.code()));
    expect((await linking()).status).toBe(200);
  });

  test("stores the hashes of state and cookie, and the verifier sealed", async () => {
    const { at } = await scene();
    const { authorizationUrl, cookie } = await begin(at);
    const state = new URL(authorizationUrl).searchParams.get("state") ?? "";
    const [flow] = await flows(at);
    expect(flow).toMatchObject({
      state_hash: sha256(state),
      browser_hash: sha256(cookie.split("=")[1] ?? ""),
      user_id: null,
    });
    expect(JSON.stringify(flow)).not.toContain(state);
    expect(flow?.sealed).not.toMatch(/^[\w-]{43}$/);
  });

  test("sets a `Secure` cookie if the installation has TLS", async () => {
    const { at } = await scene({ WINDSOCK_PUBLIC_URL: "https://ops.example.com", WINDSOCK_OAUTH_REDIRECTS: "" });
    const { headers } = expectStatus(200, await start(at, { provider: "google" }));
    expect(headers.get("set-cookie")).toEndWith("; SameSite=Lax; Secure");
  });

  test("creates new secrets for each sign-in", async () => {
    const { at } = await scene();
    const [one, two] = [await begin(at), await begin(at)];
    for (const name of ["state", "nonce", "code_challenge"])
      expect(new URL(one.authorizationUrl).searchParams.get(name)).not.toBe(
        new URL(two.authorizationUrl).searchParams.get(name),
      );
    expect(one.cookie).not.toBe(two.cookie);
  });

  test.each([
    ["a provider that is not configured", { provider: "github" }, "body.provider"],
    ["a provider in capitals", { provider: "GOOGLE" }, "body.provider"],
    ["no provider", {}, "body.provider"],
    [
      "a page that is not allowed",
      { provider: "google", redirect_to: "https://evil.example.com/" },
      "body.redirect_to",
    ],
    ["a page below one that is", { provider: "google", redirect_to: `${allowedPage}/more` }, "body.redirect_to"],
    ["a page with a query", { provider: "google", redirect_to: `${allowedPage}?a=b` }, "body.redirect_to"],
  ])("rejects %s", async (_, body, path) => {
    const { at } = await scene();
    const { issues } = expectStatus(400, await start(at, body)).body;
    expect(issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
    expect(await flows(at)).toEqual([]);
  });

  test.each(["/app/sign-in", "/app/account"])("permits the console's %s, unless there is no console", async (page) => {
    const body = { provider: "google", redirect_to: `http://127.0.0.1:3000${page}` };
    expectStatus(200, await start((await scene()).at, body));
    const { at } = await scene({ WINDSOCK_DISABLE: "console" });
    expectStatus(400, await start(at, body));
  });

  test("accepts a session, and rejects an invalid one", async () => {
    const { at } = await scene();
    const olga = await signUp(at);
    expectStatus(200, await start(at, { provider: "google" }, olga.token));
    expect(await flows(at)).toMatchObject([{ user_id: olga.userId }]);
    expectStatus(401, await start(at, { provider: "google" }, "nonsense"));
  });

  test("requests a provider's metadata once an hour, also for concurrent sign-ins", async () => {
    const { at, provider, clock } = await scene();
    await Promise.all(times(5, () => begin(at)));
    await begin(at);
    expect(provider.asked).toHaveLength(1);
    clock.advance(hours(1));
    await begin(at);
    expect(provider.asked).toHaveLength(2);
  });

  const path = "/.well-known/openid-configuration";
  const brokenWays: [string, (response: ServerResponse, issuer: string) => void][] = [
    ["an error", (response) => response.writeHead(500).end("Internal error")],
    ["a redirect", (response) => response.writeHead(302, { location: `${path}?moved` }).end()],
    ["no JSON", (response) => response.writeHead(200, { "content-type": "application/json" }).end("{not json")],
    ["a list", (response) => json(response, [])],
    ["nowhere to go", (response, issuer) => json(response, { ...metadata(issuer), authorization_endpoint: undefined })],
    ["no keys", (response, issuer) => json(response, { ...metadata(issuer), jwks_uri: undefined })],
    ["another's metadata", (response) => json(response, metadata("https://accounts.example.com"))],
    ["far too much", (response, issuer) => json(response, { ...metadata(issuer), padding: "x".repeat(300_000) })],
    ["nothing", (response) => response.destroy()],
  ];
  test.each(brokenWays)("answers 502 while a provider responds with %s", async (_, answer) => {
    const { at, provider } = await scene();
    provider.instead.set(`${path}?moved`, (response) => json(response, metadata(provider.issuer)));
    provider.instead.set(path, (response) => answer(response, provider.issuer));
    const { body, text } = expectStatus(502, await start(at, { provider: "google" }));
    expect(body.error.code).toBe("BAD_GATEWAY");
    expect(text).not.toContain(provider.issuer);
    expect(await flows(at)).toEqual([]);

    provider.instead.delete(path);
    expectStatus(200, await start(at, { provider: "google" }));
  });

  test("answers 502 if the provider refuses the connection", async () => {
    const { at, provider } = await scene();
    await provider.close();
    expectStatus(502, await start(at, { provider: "google" }));
  });

  test.each([
    ["never answers", () => undefined],
    ["never ends its answer", (response: ServerResponse) => void response.writeHead(200).write("{")],
  ])("a request to a provider that %s is aborted", async (_, answer) => {
    const clock = new TestClock();
    const { issuer, instead } = await newScriptedProvider(clock);
    instead.set("/.well-known/openid-configuration", answer);
    const settings = { issuer, clientId: "windsock", clientSecret: "s3cr3t" };
    const provider = createProvider("google", settings, { clock, callbackUrl: "http://localhost/", timeout: 50 });
    const asking = provider.authorizationUrl({ state: "a", nonce: "b", codeVerifier: "c" });
    await expect(asking).rejects.toMatchObject({ code: "BAD_GATEWAY" });
  });
});

describe("unfinished sign-ins", () => {
  test("do not pile up: each start deletes two expired ones", async () => {
    const { at, clock } = await scene();
    await Promise.all(times(5, () => begin(at)));
    clock.advance(minutes(10) - 1);
    await begin(at);
    expect(await flows(at)).toHaveLength(6);
    clock.advance(1);
    await begin(at);
    expect(await flows(at)).toHaveLength(5);
    await begin(at);
    await begin(at);
    await begin(at);
    // The five are deleted; the sixth has not expired.
    expect(await flows(at)).toHaveLength(5);
  });

  test("are deleted by the clean-up job, any number of them", async () => {
    const { at, clock } = await scene();
    await begin(at);
    const [one] = await flows(at);
    if (!one) throw new Error("There is no flow.");
    const rows = times(1200, (index) => ({ ...one, state_hash: `old ${index}` }));
    for (const from of [0, 400, 800])
      await at.storage.control.write((tx) => tx.insert(oauthFlows).values(rows.slice(from, from + 400)));
    clock.advance(minutes(5));
    await begin(at);
    clock.advance(minutes(5) + 1);
    const result = await sessionCleanup.run({ control: at.storage.control, clock }, clock.now());
    expect(summaryOf(result)).toContain("1201 tokens");
    expect(await flows(at)).toHaveLength(1);
  });
});

test("/capabilities names the providers", async () => {
  const { at } = await scene();
  expect((await at.call("GET", "/capabilities")).body.data.oauth_providers).toEqual(["google"]);
  expect((await (await newInstallation()).call("GET", "/capabilities")).body.data.oauth_providers).toEqual([]);
});
