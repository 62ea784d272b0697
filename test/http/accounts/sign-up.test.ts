import { describe, expect, test } from "bun:test";
import { hours } from "../../../src/core/clock.ts";
import { newInstallation } from "../../support/installation.ts";
import { tokenIn } from "../../support/mails.ts";
import { expectStatus, password, statuses, times } from "../../support/school.ts";
import {
  actions,
  claimsOf,
  freshAddress,
  isSignedIn,
  logIn,
  refresh,
  signUp,
  signUpAlone,
  signUpAloneBody,
  signUpBody,
} from "./newcomers.ts";

describe("POST /auth/signup", () => {
  test("creates an account without an organization and signs it in", async () => {
    const at = await newInstallation();
    const body = { ...signUpAloneBody("  Ada@Example.COM "), name: " Ada Lindner " };
    const { data } = expectStatus(201, await at.call("POST", "/auth/signup", { body })).body;

    expect(data.user).toEqual({
      id: expect.any(String),
      email: "ada@example.com",
      email_verified: false,
      name: "Ada Lindner",
      language: "en",
      created_at: at.clock.now().toISOString(),
    });
    expect(claimsOf(data.tokens.access_token)).toMatchObject({ sub: data.user.id, org: null, amr: ["pwd"] });
    expect(await isSignedIn(at, { token: data.tokens.access_token })).toBe(true);
    expect((await refresh(at, data.tokens.refresh_token)).status).toBe(200);
    expect((await logIn(at, "ada@example.com")).status).toBe(200);
    expect((await actions(at)).slice(0, 3)).toEqual(["user.created", "email.verification_sent", "session.opened"]);
  });

  test("sets the refresh token as the cookie if requested", async () => {
    const at = await newInstallation();
    const body = { ...signUpAloneBody(), cookie: true };
    const answer = expectStatus(201, await at.call("POST", "/auth/signup", { body }));
    expect(answer.body.data.tokens).not.toHaveProperty("refresh_token");
    expect(answer.headers.get("set-cookie")).toStartWith("svc_refresh=");
  });

  test.each([
    ["no password", { password: undefined }, "body.password"],
    ["a password of 11 characters", { password: "12345678901" }, "body.password"],
    ["a password that many choose", { password: "qwerty123456" }, "body.password"],
    ["that password in capitals", { password: "QWERTY123456" }, "body.password"],
    ["that password in full-width letters", { password: "ｑｗｅｒｔｙ123456" }, "body.password"],
    ["the address as the password", { password: "Ada@Example.com" }, "body.password"],
    ["an address that is none", { email: "ada" }, "body.email"],
    ["no name", { name: "  " }, "body.name"],
    ["an unknown field", { role: "owner" }, "body.role"],
  ])("rejects %s", async (_, wrong, path) => {
    const at = await newInstallation();
    const answer = expectStatus(
      400,
      await at.call("POST", "/auth/signup", { body: { ...signUpAloneBody(), ...wrong } }),
    );
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
    expect(await actions(at)).toEqual([]);
    expect(at.mails).toEqual([]);
  });

  test("of concurrent sign-ups with one address, one succeeds", async () => {
    const at = await newInstallation();
    const attempts = times(8, (n) =>
      at.call("POST", "/auth/signup", { body: { ...signUpAloneBody(), name: `Ada ${n}` }, from: freshAddress() }),
    );
    expect(statuses(await Promise.all(attempts))).toEqual([201, ...times(7, () => 409)]);
    expect((await actions(at)).filter((action) => action === "user.created")).toHaveLength(1);
    expect(at.mails).toHaveLength(1);
    const again = await at.call("POST", "/auth/signup", { body: signUpAloneBody("ADA@example.com") });
    expect(again.status).toBe(409);
  });

  test("shares its limit with the sign-ups of organizations: 10 an hour for a client address", async () => {
    const at = await newInstallation();
    const from = freshAddress();
    const alone = (n: number) => at.call("POST", "/auth/signup", { body: signUpAloneBody(`a${n}@example.com`), from });
    for (let n = 0; n < 5; n += 1) {
      expectStatus(201, await alone(n));
      expectStatus(201, await at.call("POST", "/auth/signup-org", { body: signUpBody(`o${n}@example.com`), from }));
    }
    const refused = expectStatus(429, await alone(10));
    expect(refused.headers.get("ratelimit-policy")).toBe('"signup";q=10;w=3600');
    expect((await at.call("POST", "/auth/signup-org", { body: signUpBody("o10@example.com"), from })).status).toBe(429);
    at.clock.advance(hours(1));
    expectStatus(201, await alone(10));
  });

  test("mails a link that verifies the address, for an account and for an organization, and none without a mail server", async () => {
    const at = await newInstallation({ env: { WINDSOCK_PUBLIC_URL: "https://ops.example.com" } });
    await signUpAlone(at);
    await signUp(at);
    expect(at.mails.map(({ to }) => to)).toEqual(["ada@example.com", "olga@example.com"]);
    expect(at.mails[0]?.text).toContain(
      `https://ops.example.com/app/link#verify=${tokenIn(at.mails, "ada@example.com", "verify")}\n`,
    );

    const silent = await newInstallation({ mail: false });
    await signUpAlone(silent);
    await signUp(silent);
    expect(silent.mails).toEqual([]);
    expect(await actions(silent)).not.toContain("email.verification_sent");
  });

  test("writes no password, hash or token to the log or the audit log", async () => {
    const at = await newInstallation();
    await signUpAlone(at);
    const token = tokenIn(at.mails, "ada@example.com", "verify");
    const { storage, logged } = at;
    const { auditLog } = await import("../../../src/storage/shared.tables.ts");
    const rows = await storage.control.read((reader) => reader.select().from(auditLog));
    for (const secret of [password, "argon2id", token]) expect(JSON.stringify([rows, logged])).not.toContain(secret);
  });
});
