import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { minutes, toInstant } from "../../../src/core/clock.ts";
import { users } from "../../../src/identity/identity.tables.ts";
import { mfaChallenges, totpEnrollments } from "../../../src/modules/accounts/mfa/mfa.tables.ts";
import { identities } from "../../../src/modules/accounts/oauth/oauth.tables.ts";
import { TestClock } from "../../support/clock.ts";
import { type Answer, type Installation, newInstallation } from "../../support/installation.ts";
import { allowedPage, begin, comeBack, environment, json, newRealProvider, strangersKey } from "../../support/oidc.ts";
import { expectStatus, statuses, times } from "../../support/school.ts";
import { actions, claimsOf, controlAudit, logIn, signUp } from "./newcomers.ts";
import { ada, scene } from "./oauth-scene.ts";

const account = async (at: Installation, email: string) => {
  const [row] = await at.storage.control.read((reader) => reader.select().from(users).where(eq(users.email, email)));
  return row;
};
const links = (at: Installation) => at.storage.control.read((reader) => reader.select().from(identities));
const disable = (at: Installation, email: string) =>
  at.storage.control.write((tx) => tx.update(users).set({ disabled_at: tx.now }).where(eq(users.email, email)));

async function addSecondFactor(at: Installation, email: string): Promise<void> {
  const { id: userId } = (await account(at, email)) ?? { id: undefined };
  if (userId === undefined) throw new Error("There is no such account.");
  await at.storage.control.write((tx) =>
    tx.insert(totpEnrollments).values({ user_id: userId, secret: "sealed", created_at: tx.now, confirmed_at: tx.now }),
  );
}

describe("GET /auth/oauth/callback, with a real provider and a browser", () => {
  // The provider dates its tokens by the wall clock, so the test clock starts there.
  const withReal = async () => {
    const provider = await newRealProvider();
    const clock = new TestClock(new Date().toISOString());
    const at = await newInstallation({ clock, env: environment(provider.issuer) });
    return { at, provider };
  };

  test("creates an account at the first sign-in, and signs in to it afterwards", async () => {
    const { at, provider } = await withReal();
    const first = await begin(at);
    const back = await provider.visit(first, ada);
    expect(new URLSearchParams(back).get("iss")).toBe(provider.issuer);
    const answer = expectStatus(200, await comeBack(at, back, first.cookie));
    expect(answer.body).toMatchObject({ token_type: "Bearer", expires_in: 900 });
    expect(answer.body.refresh_token).toBeString();

    const made = await account(at, "ada@example.com");
    expect(made).toMatchObject({
      name: "Ada Lindner",
      password_hash: null,
      email_verified_at: toInstant(at.clock.now()),
    });
    expect(claimsOf(answer.body.access_token)).toMatchObject({ sub: made?.id, org: null, amr: ["oidc"] });
    expect(await actions(at)).toEqual(["user.created", "identity.linked", "session.opened"]);

    const second = await begin(at);
    // The subject identifies the person, even after the name and the address changed.
    const renamed = { ...ada, email: "ada@elsewhere.example", email_verified: false };
    const again = expectStatus(200, await comeBack(at, await provider.visit(second, renamed), second.cookie));
    expect(claimsOf(again.body.access_token).sub).toBe(claimsOf(answer.body.access_token).sub);
    expect(await links(at)).toHaveLength(1);
  });

  test("opens no session if the provider denies access, and the flow is used", async () => {
    const { at, provider } = await withReal();
    const begun = await begin(at);
    const back = await provider.visit(begun, "refuses");
    expect(new URLSearchParams(back).get("error")).toBe("access_denied");
    const refused = expectStatus(401, await comeBack(at, back, begun.cookie));
    expect(refused.headers.get("set-cookie")).toStartWith("svc_oauth=; Max-Age=0");
    expectStatus(400, await comeBack(at, back, begun.cookie));
    expect(await actions(at)).toEqual([]);
  });

  test("rejects a code that the provider does not know", async () => {
    const { at, provider } = await withReal();
    const begun = await begin(at);
    const back = new URLSearchParams(await provider.visit(begun, ada));
    back.set("code", "another");
    expectStatus(400, await comeBack(at, back.toString(), begun.cookie));
    expect(await actions(at)).toEqual([]);
  });
});

describe("the callback", () => {
  test("works once", async () => {
    const { at, provider } = await scene();
    const begun = await begin(at);
    const back = provider.admit(begun, ada);
    const { headers } = expectStatus(200, await comeBack(at, back, begun.cookie));
    expect(headers.getSetCookie()).toEqual(["svc_oauth=; Max-Age=0; Path=/auth/oauth; HttpOnly; SameSite=Lax"]);
    expectStatus(400, await comeBack(at, back, begun.cookie));
    expect((await actions(at)).filter((action) => action === "session.opened")).toHaveLength(1);
  });

  test("works once of concurrent requests", async () => {
    const { at, provider } = await scene();
    const begun = await begin(at);
    const back = provider.admit(begun, ada);
    const answers = await Promise.all(times(6, () => comeBack(at, back, begun.cookie)));
    expect(statuses(answers)).toEqual([200, ...times(5, () => 400)]);
    expect(provider.asked.filter((path) => path === "/token")).toHaveLength(1);
    expect((await actions(at)).filter((action) => action === "session.opened")).toHaveLength(1);
  });

  test("works for ten minutes", async () => {
    const { at, provider, clock } = await scene();
    const [first, second] = [await begin(at), await begin(at)];
    clock.advance(minutes(10) - 1);
    expectStatus(200, await comeBack(at, provider.admit(first, ada), first.cookie));
    clock.advance(1);
    expectStatus(400, await comeBack(at, provider.admit(second, ada), second.cookie));
  });

  test("works only in the browser that started, and a request of another browser does not use the flow", async () => {
    const { at, provider } = await scene();
    const [mine, theirs] = [await begin(at), await begin(at)];
    const back = provider.admit(mine, ada);
    for (const cookie of [undefined, theirs.cookie, "svc_oauth=", "svc_oauth=nonsense"]) {
      const { headers } = expectStatus(400, await comeBack(at, back, cookie));
      expect(headers.get("set-cookie")).toBeNull();
    }
    expect(provider.asked).not.toContain("/token");
    expectStatus(200, await comeBack(at, back, mine.cookie));
  });

  test.each([
    ["no state", (back: URLSearchParams) => back.delete("state")],
    ["a state that was never given", (back: URLSearchParams) => back.set("state", "nonsense")],
    ["neither code nor error", (back: URLSearchParams) => back.delete("code")],
    ["two codes", (back: URLSearchParams) => back.append("code", "another")],
  ])("rejects %s", async (_, change) => {
    const { at, provider } = await scene();
    const begun = await begin(at);
    const back = new URLSearchParams(provider.admit(begun, ada));
    change(back);
    expectStatus(400, await comeBack(at, back.toString(), begun.cookie));
    expect(provider.asked).not.toContain("/token");
  });
});

describe("the response of a provider", () => {
  test("may have its claims in the token or at the userinfo endpoint", async () => {
    const { at, provider, signIn } = await scene();
    provider.instead.set("/userinfo", (response) =>
      json(response, { sub: "bo-1", email: "bo@example.com", email_verified: "true" }),
    );
    expectStatus(200, await signIn({ sub: "bo-1" }));
    expect(await account(at, "bo@example.com")).toMatchObject({ name: "bo" });
    provider.asked.length = 0;
    expectStatus(200, await signIn(ada));
    expect(provider.asked).toEqual(["/token", "/jwks"]);
  });

  test("is rejected if the userinfo endpoint returns another subject", async () => {
    const { at, provider, signIn } = await scene();
    provider.instead.set("/userinfo", (response) => json(response, { ...ada, sub: "somebody else" }));
    expectStatus(502, await signIn({ sub: "bo-1" }));
    expect(await links(at)).toEqual([]);
  });

  test.each([
    ["another nonce", { nonce: "another" }],
    ["no nonce", { nonce: undefined }],
    ["another issuer", { iss: "https://accounts.example.com" }],
    ["another audience", { aud: "another" }],
    ["a time that is over", { exp: 1_000_000_000 }],
    ["no subject", { sub: undefined }],
    ["an empty subject", { sub: "" }],
    ["a subject of 256 characters", { sub: "x".repeat(256) }],
    ["a subject with a letter that is not ASCII", { sub: "bo-\u00f6" }],
    ["a subject with a lone surrogate", { sub: "bo-\ud800" }],
    ["a subject with a line feed", { sub: "bo-1\n" }],
  ])("is rejected if its token has %s", async (_, token) => {
    const { at, provider } = await scene();
    const begun = await begin(at);
    const answer = expectStatus(502, await comeBack(at, provider.admit(begun, ada, { token }), begun.cookie));
    expect(answer.body.error.code).toBe("BAD_GATEWAY");
    expect(await actions(at)).toEqual([]);
  });

  test("is rejected if its token is signed with another key", async () => {
    const { at, provider } = await scene();
    const begun = await begin(at);
    expectStatus(502, await comeBack(at, provider.admit(begun, ada, { key: strangersKey() }), begun.cookie));
    expect(await actions(at)).toEqual([]);
  });

  test("is checked against our clock", async () => {
    const { at, clock, provider } = await scene();
    const begun = await begin(at);
    const exp = Math.floor(clock.now().getTime() / 1000) + 60;
    const back = provider.admit(begun, ada, { token: { exp } });
    // The library tolerates 30 seconds.
    clock.advance(minutes(1) + 31_000);
    expectStatus(502, await comeBack(at, back, begun.cookie));
  });

  test("is rejected if its `iss` is another provider", async () => {
    const { at, provider, other } = await scene();
    for (const change of [
      (back: URLSearchParams) => back.set("iss", other.issuer),
      (back: URLSearchParams) => back.delete("iss"),
    ]) {
      const begun = await begin(at);
      const back = new URLSearchParams(provider.admit(begun, ada));
      change(back);
      expectStatus(502, await comeBack(at, back.toString(), begun.cookie));
    }
    expect(provider.asked).not.toContain("/token");
  });

  test("is a 502 if it is malformed", async () => {
    const { provider, signIn, at } = await scene();
    const answers: Parameters<typeof provider.instead.set>[1][] = [
      (response) => response.writeHead(500).end("Internal error"),
      (response) => response.writeHead(307, { location: "/token?moved" }).end(),
      (response) => response.writeHead(200, { "content-type": "application/json" }).end("{not json"),
      (response) => json(response, { access_token: "a", token_type: "Bearer" }),
      (response) => json(response, { access_token: "a", token_type: "Bearer", id_token: "not.a.token" }),
      (response) => json(response, { padding: "x".repeat(300_000) }),
      (response) => response.destroy(),
    ];
    for (const answer of answers) {
      provider.instead.set("/token", answer);
      expectStatus(502, await signIn(ada));
    }
    provider.instead.clear();
    provider.instead.set("/jwks", (response) => response.writeHead(500).end());
    expectStatus(502, await signIn(ada));
    expect(await actions(at)).toEqual([]);
  });

  test("may have 256 KiB, and no byte more", async () => {
    const { provider, signIn } = await scene();
    const claims = { sub: "bo-1", email: "bo@example.com", email_verified: true, padding: "" };
    const padded = (bytes: number) => ({ ...claims, padding: "x".repeat(bytes - JSON.stringify(claims).length) });
    const limit = 256 * 1024;
    provider.instead.set("/userinfo", (response) => json(response, padded(limit + 1)));
    expectStatus(502, await signIn({ sub: "bo-1" }));
    provider.instead.set("/userinfo", (response) => json(response, padded(limit)));
    expectStatus(200, await signIn({ sub: "bo-1" }));
  });

  test.each(["server_error", "temporarily_unavailable"])("is a 502 if its error is %s", async (error) => {
    const { at, provider } = await scene();
    const begun = await begin(at);
    const back = new URLSearchParams(provider.admit(begun, ada));
    back.delete("code");
    back.set("error", error);
    expectStatus(502, await comeBack(at, back.toString(), begun.cookie));
    expectStatus(400, await comeBack(at, back.toString(), begun.cookie));
  });

  test("is a 400 if the provider is no longer configured", async () => {
    const { at, provider } = await scene();
    const begun = await begin(at);
    const back = provider.admit(begun, ada);
    await provider.close();
    expectStatus(502, await comeBack(at, back, begun.cookie));
    expectStatus(400, await comeBack(at, back, begun.cookie));
  });

  test.each([
    ["control characters", "Ada\u0000\n  Lindner\u0007", "Ada Lindner"],
    ["nothing but space", " \t ", "ada"],
    ["no end", `${"A".repeat(119)}\u{1f6e9}`, "A".repeat(119)],
  ])("is cleaned if a name has %s", async (_, name, cleaned) => {
    const { at, signIn } = await scene();
    expectStatus(200, await signIn({ ...ada, name }));
    expect((await account(at, "ada@example.com"))?.name).toBe(cleaned);
  });
});

describe("the account of the sign-in", () => {
  test.each([
    ["not verified", { ...ada, email_verified: false }],
    ["said to be verified in another way", { ...ada, email_verified: "yes" }],
    ["of unknown standing", { sub: "ada-1", email: "ada@example.com" }],
    ["none", { sub: "ada-1", email_verified: true }],
    ["no address", { ...ada, email: "ada" }],
  ])("is none if the address is %s", async (_, claims) => {
    const { at, signIn } = await scene();
    expectStatus(401, await signIn(claims));
    expect(await actions(at)).toEqual([]);
  });

  test.each([["unproven"], ["proven"]])(
    "not that of an address which has an account, %s, until its owner links it",
    async (standing) => {
      const { at, signIn } = await scene();
      const olga = await signUp(at);
      if (standing === "proven")
        await at.storage.control.write((tx) => tx.update(users).set({ email_verified_at: tx.now }));
      const before = await account(at, olga.email);
      const claims = { sub: "olga-1", email: olga.email, email_verified: true };
      const refused = expectStatus(401, await signIn(claims));
      expect(refused.body.error.message).toContain("link");
      expect(await account(at, olga.email)).toEqual(before);
      expect(await links(at)).toEqual([]);

      const linked = expectStatus(200, await signIn(claims, { token: olga.token }));
      expect(claimsOf(linked.body.access_token)).toMatchObject({ sub: olga.userId, org: olga.orgId });
      expect(await links(at)).toMatchObject([{ user_id: olga.userId, subject: "olga-1", made_account: false }]);
      const row = (await controlAudit(at)).find(({ action }) => action === "identity.linked");
      expect(row).toMatchObject({ actor_kind: "user", actor_id: olga.userId, subject_id: olga.userId });

      expectStatus(200, await signIn(claims));
      expectStatus(200, await logIn(at, olga.email));
      // The link gives access to that person, not to another person with the address.
      expectStatus(401, await signIn({ ...claims, sub: "olga-2" }));
    },
  );

  test("is the one that linked the provider, with any address", async () => {
    const { at, signIn } = await scene();
    const olga = await signUp(at);
    expectStatus(200, await signIn({ sub: "club-7" }, { token: olga.token, provider: "club" }));
    expectStatus(200, await signIn({ sub: "club-7" }, { token: olga.token, provider: "club" }));
    const { body } = expectStatus(200, await signIn({ sub: "club-7" }, { provider: "club" }));
    expect(claimsOf(body.access_token).sub).toBe(olga.userId);
    expect(await links(at)).toHaveLength(1);
  });

  test("is none if the person is linked to another account", async () => {
    const { at, signIn } = await scene();
    expectStatus(200, await signIn(ada));
    const olga = await signUp(at);
    expectStatus(401, await signIn(ada, { token: olga.token }));
    expect(await links(at)).toHaveLength(1);
  });

  test("is none if the session that started the flow has ended", async () => {
    const { at, provider } = await scene();
    const olga = await signUp(at);
    const begun = await begin(at, { token: olga.token });
    const { body } = expectStatus(200, await logIn(at, olga.email));
    expectStatus(200, await at.call("POST", "/auth/logout", { token: olga.token }));
    // Another session of the same account does not count.
    expect(body.access_token).toBeString();
    expectStatus(401, await comeBack(at, provider.admit(begun, ada), begun.cookie));
    expect(await links(at)).toEqual([]);
  });

  test("is the one that this provider created for the address, not one that another provider created", async () => {
    const { at, signIn } = await scene();
    const { body } = expectStatus(200, await signIn(ada));
    expectStatus(401, await signIn({ ...ada, sub: "club-1" }, { provider: "club" }));
    const anew = expectStatus(200, await signIn({ ...ada, sub: "ada-2" }));
    expect(claimsOf(anew.body.access_token).sub).toBe(claimsOf(body.access_token).sub);
    expect((await links(at)).map(({ subject, made_account: madeAccount }) => [subject, madeAccount])).toEqual([
      ["ada-1", true],
      ["ada-2", false],
    ]);
  });

  test("is found by the whole subject, byte for byte", async () => {
    const { at, signIn } = await scene();
    const subjects = ["x".repeat(255), "X".repeat(255), "x", "x ", "x' or 1=1 --"];
    const accounts = new Set<string>();
    for (const [index, sub] of subjects.entries()) {
      const { body } = expectStatus(200, await signIn({ ...ada, sub, email: `member-${index}@example.com` }));
      accounts.add(claimsOf(body.access_token).sub);
    }
    expect(accounts.size).toBe(subjects.length);
    expect((await links(at)).map(({ subject }) => subject).sort()).toEqual(subjects.sort());
  });

  test("is found by provider and subject: two providers may use the same subject", async () => {
    const { at, signIn } = await scene();
    expectStatus(200, await signIn(ada));
    const bo = { sub: ada.sub, email: "bo@example.com", email_verified: true };
    const { body } = expectStatus(200, await signIn(bo, { provider: "club" }));
    const made = await account(at, "bo@example.com");
    expect(made).toBeDefined();
    expect(claimsOf(body.access_token)).toMatchObject({ sub: made?.id });
  });

  test("is none if it is disabled, linked or found by the address", async () => {
    const { at, provider, signIn } = await scene();
    expectStatus(200, await signIn(ada));
    const olga = await signUp(at);
    const begun = await begin(at, { token: olga.token });
    await disable(at, "ada@example.com");
    await disable(at, olga.email);
    const before = await actions(at);
    expectStatus(401, await signIn(ada));
    expectStatus(401, await signIn({ ...ada, sub: "ada-2" }));
    expectStatus(401, await comeBack(at, provider.admit(begun, { sub: "olga-1" }), begun.cookie));
    expect(await actions(at)).toEqual(before);
  });

  test("rejects every password while it has none", async () => {
    const { at, signIn } = await scene();
    expectStatus(200, await signIn(ada));
    expectStatus(401, await logIn(at, "ada@example.com"));
  });

  test("is one account for two concurrent first sign-ins", async () => {
    const { at, signIn } = await scene();
    const answers = await Promise.all(times(3, () => signIn(ada)));
    expect(statuses(answers)).toEqual([200, 200, 200]);
    expect(await links(at)).toHaveLength(1);
  });
});

describe("a second factor", () => {
  test("is required after a sign-in through a provider", async () => {
    const { at, signIn } = await scene();
    expectStatus(200, await signIn(ada));
    await addSecondFactor(at, "ada@example.com");
    const { body } = expectStatus(200, await signIn(ada));
    expect({ ...body }).toEqual({ mfa_required: true, mfa_token: expect.any(String), expires_in: 300 });
    expect((await actions(at)).at(-1)).toBe("mfa.challenged");
  });

  test("is required on the page of `redirect_to`, with the challenge in the fragment", async () => {
    const { at, signIn } = await scene();
    expectStatus(200, await signIn(ada));
    await addSecondFactor(at, "ada@example.com");
    const answer = expectStatus(303, await signIn(ada, { redirect_to: allowedPage }));
    const [page, fragment] = (answer.headers.get("location") ?? "").split("#");
    expect(page).toBe(allowedPage);
    expect(Object.fromEntries(new URLSearchParams(fragment))).toEqual({
      mfa_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_in: "300",
    });
    expect(answer.headers.getSetCookie().join()).not.toContain("svc_refresh");
    const waiting = await at.storage.control.read((reader) => reader.select().from(mfaChallenges));
    expect(waiting.at(-1)).toMatchObject({ cookie: true, amr: ["oidc"] });
  });
});

describe("an error of a sign-in with `redirect_to`", () => {
  /** Returns the error in the fragment. */
  const told = (answer: Answer) => {
    const [page, fragment] = (expectStatus(303, answer).headers.get("location") ?? "").split("#");
    expect([page, answer.text]).toEqual([allowedPage, ""]);
    expect(answer.headers.getSetCookie().map((cookie) => cookie.split(";", 2).join(";"))).toEqual([
      "svc_oauth=; Max-Age=0",
    ]);
    const { error, error_description } = Object.fromEntries(new URLSearchParams(fragment));
    expect(error_description).toMatch(/^[A-Z].*\.$/);
    return error;
  };
  const there = { redirect_to: allowedPage };

  test("is in the fragment", async () => {
    const { at, signIn } = await scene();
    const olga = await signUp(at);
    expect(told(await signIn({ ...ada, email_verified: false }, there))).toBe("unverified");
    expect(told(await signIn({ ...ada, email: olga.email }, there))).toBe("account_exists");
    expectStatus(200, await signIn(ada));
    expect(told(await signIn(ada, { ...there, token: olga.token }))).toBe("linked_elsewhere");
    await disable(at, "ada@example.com");
    expect(told(await signIn(ada, there))).toBe("account_disabled");
  });

  test("says that the session that started it has ended", async () => {
    const { at, provider } = await scene();
    const olga = await signUp(at);
    const begun = await begin(at, { ...there, token: olga.token });
    expectStatus(200, await at.call("POST", "/auth/logout", { token: olga.token }));
    expect(told(await comeBack(at, provider.admit(begun, ada), begun.cookie))).toBe("session_over");
  });

  test.each([
    ["access_denied", "access_denied"],
    ["server_error", "bad_gateway"],
  ])("shows %s of the provider", async (said, error) => {
    const { at, provider } = await scene();
    const begun = await begin(at, there);
    const back = new URLSearchParams(provider.admit(begun, ada));
    back.delete("code");
    back.set("error", said);
    expect(told(await comeBack(at, back.toString(), begun.cookie))).toBe(error);
    expect(at.logged.join()).toContain("A sign-in through a provider failed.");
    // The flow is used; without one, there is no redirect.
    expectStatus(400, await comeBack(at, back.toString(), begun.cookie));
  });

  test("is logged if the provider fails", async () => {
    const { at, provider, signIn } = await scene();
    provider.instead.set("/token", (response) => response.writeHead(500).end("Internal error"));
    expect(told(await signIn(ada, there))).toBe("bad_gateway");
    expect(at.logged.some((line) => line.includes("BAD_GATEWAY") && line.includes('"error":['))).toBe(true);
  });
});
