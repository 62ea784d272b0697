import { describe, expect, test } from "bun:test";
import { minutes } from "../../../src/core/clock.ts";
import type { Installation } from "../../support/installation.ts";
import { begin, type Claims, comeBack, newInstallationWithProvider, providerOf } from "../../support/oidc.ts";
import { expectStatus } from "../../support/school.ts";
import { enroll, step } from "../../support/second-factor.ts";
import { actions, change, claimsOf, link, logIn, providersOf, signUpAlone } from "./newcomers.ts";

const list = (at: Installation, token?: string) =>
  at.call("GET", "/auth/identities", token === undefined ? {} : { token });
const unlink = (at: Installation, token: string | undefined, provider = "google") =>
  at.call("DELETE", `/auth/identities/${provider}`, token === undefined ? {} : { token });

async function arrive(at: Installation, claims: Claims, token?: string) {
  const begun = await begin(at, token === undefined ? {} : { token });
  return comeBack(at, providerOf(at).admit(begun, claims), begun.cookie);
}

const fromElsewhere = { sub: "g-1", email: "somebody@gmail.example", email_verified: true };

describe("GET /auth/identities", () => {
  test("lists the caller's providers, oldest first, without the subjects there", async () => {
    const at = await newInstallationWithProvider();
    const made = expectStatus(200, await arrive(at, { sub: "g-2", email: "cora@example.com", email_verified: true }));
    const ben = await signUpAlone(at, "ben@example.com");
    await link(at, ben.userId);
    at.clock.advance(minutes(1));
    await link(at, claimsOf(made.body.access_token).sub);
    const answer = expectStatus(200, await list(at, made.body.access_token));
    expect(answer.body).toEqual({
      data: [
        { provider: "google", linked_at: "2026-06-14T09:00:00.000Z", made_account: true },
        { provider: "example", linked_at: "2026-06-14T09:01:00.000Z", made_account: false },
      ],
    });
  });

  test("returns one of them by its name, and 404 for one that is not linked, or another account's", async () => {
    const at = await newInstallationWithProvider();
    const made = expectStatus(200, await arrive(at, { sub: "g-2", email: "cora@example.com", email_verified: true }));
    const ben = await signUpAlone(at, "ben@example.com");
    const get = (provider: string, token: string) => at.call("GET", `/auth/identities/${provider}`, { token });
    const [google] = (await list(at, made.body.access_token)).body.data;
    expect(expectStatus(200, await get("google", made.body.access_token)).body.data).toEqual(google);
    expectStatus(404, await get("example", made.body.access_token));
    expectStatus(404, await get("google", ben.token));
  });

  test("requires a session", async () => {
    const at = await newInstallationWithProvider();
    expect((await list(at)).status).toBe(401);
  });
});

describe("DELETE /auth/identities/{provider}", () => {
  test("ends sign-ins through it, and leaves the caller's session and other accounts' links", async () => {
    const at = await newInstallationWithProvider();
    const ada = await signUpAlone(at);
    const ben = await signUpAlone(at, "ben@example.com");
    await link(at, ben.userId, { provider: "google" });
    expectStatus(200, await arrive(at, fromElsewhere, ada.token));
    expectStatus(200, await arrive(at, fromElsewhere));

    expect(expectStatus(200, await unlink(at, ada.token)).body).toEqual({ status: "unlinked" });
    expect((await actions(at)).at(-1)).toBe("identity.unlinked");
    expect((await list(at, ada.token)).body).toEqual({ data: [] });
    const { access_token } = expectStatus(200, await arrive(at, fromElsewhere)).body;
    expect(claimsOf(access_token).sub).not.toBe(ada.userId);
    expect(await providersOf(at, ben.userId)).toHaveLength(1);
  });

  test("requires a step-up of an account with a second factor", async () => {
    const at = await newInstallationWithProvider();
    const ada = await signUpAlone(at);
    await link(at, ada.userId, { provider: "google" });
    const factor = await enroll(at, ada);
    const refused = await unlink(at, ada.token);
    expect([refused.status, refused.body.error.code]).toEqual([403, "STEP_UP_REQUIRED"]);
    expect(await providersOf(at, ada.userId)).toHaveLength(1);
    expectStatus(200, await step(at, ada, await factor.code()));
    expectStatus(200, await unlink(at, ada.token));
  });

  test("answers 404 for a provider that is not linked", async () => {
    const at = await newInstallationWithProvider();
    const ada = await signUpAlone(at);
    const ben = await signUpAlone(at, "ben@example.com");
    await link(at, ben.userId, { provider: "google" });
    expect((await unlink(at, ada.token)).status).toBe(404);
    expect((await unlink(at, ada.token, "nonsense")).status).toBe(404);
  });

  test("rejects the removal of the only way to sign in: requires a password or another configured provider", async () => {
    const at = await newInstallationWithProvider();
    const ada = await signUpAlone(at);
    await change(at, ada.email, { password_hash: null });
    await link(at, ada.userId, { provider: "google" });
    await link(at, ada.userId, { provider: "bygone" });
    expect((await unlink(at, ada.token)).status).toBe(409);
    expect(await providersOf(at, ada.userId)).toHaveLength(2);
    await link(at, ada.userId, { provider: "down" });
    expectStatus(200, await unlink(at, ada.token));
    expect((await unlink(at, ada.token, "down")).status).toBe(409);
  });

  test("requires a session", async () => {
    const at = await newInstallationWithProvider();
    expect((await unlink(at, undefined)).status).toBe(401);
  });
});

test("another issuer under the same name is another provider: it does not sign in to linked accounts", async () => {
  const at = await newInstallationWithProvider();
  const ada = await signUpAlone(at);
  await link(at, ada.userId, { provider: "google", issuer: "https://bygone.example.com", subject: "g-1" });
  const made = { subject: "g-9", provider: "google", issuer: "https://bygone.example.com", madeAccount: true };
  await link(at, ada.userId, made);
  const { access_token } = expectStatus(200, await arrive(at, fromElsewhere)).body;
  expect(claimsOf(access_token).sub).not.toBe(ada.userId);
  // Its verified address does not count as that of the provider that created the account.
  expect((await arrive(at, { sub: "g-3", email: ada.email, email_verified: true })).status).toBe(401);
  expect((await logIn(at, ada.email)).status).toBe(200);
});
