/** The cookies of a sign-in through a provider: its response may have two. */
import { expect, test } from "bun:test";
import { allowedPage } from "../../support/oidc.ts";
import { expectStatus } from "../../support/school.ts";
import { claimsOf } from "./newcomers.ts";
import { ada, scene } from "./oauth-scene.ts";

test("a sign-in that asked for the cookie has the refresh token there, and not in the body", async () => {
  const { at, signIn } = await scene();
  const answer = expectStatus(200, await signIn(ada, { cookie: true }));
  expect(answer.body.refresh_token).toBeUndefined();
  const [, refresh = ""] = answer.headers.getSetCookie();
  const headers = { cookie: refresh.split(";", 1).join(), "sec-fetch-site": "same-origin" };
  expectStatus(200, await at.call("POST", "/auth/refresh", { headers }));
  const plain = expectStatus(200, await signIn(ada));
  expect(plain.body.refresh_token).toBeString();
  expect(plain.headers.getSetCookie()).toHaveLength(1);
});

test("a sign-in with `redirect_to` sets the refresh token as the cookie, and has no token in the address", async () => {
  const { at, signIn } = await scene();
  const answer = expectStatus(303, await signIn(ada, { redirect_to: allowedPage }));
  expect([answer.headers.get("location"), answer.text]).toEqual([allowedPage, ""]);
  const [ended, refresh = ""] = answer.headers.getSetCookie();
  expect(ended).toStartWith("svc_oauth=; Max-Age=0;");
  expect(refresh).toMatch(/^svc_refresh=[\w-]+; Max-Age=2592000; Path=\/auth; HttpOnly; SameSite=Strict$/);
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");

  const headers = { cookie: refresh.split(";", 1).join(), "sec-fetch-site": "same-origin" };
  const { body } = expectStatus(200, await at.call("POST", "/auth/refresh", { headers }));
  expect(claimsOf(body.access_token)).toMatchObject({ amr: ["oidc"] });
});
