import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { minutes, toInstant } from "../../../src/core/clock.ts";
import { users } from "../../../src/identity/identity.tables.ts";
import type { Passwords } from "../../../src/modules/accounts/passwords/passwords.ts";
import { checkCredentials } from "../../../src/modules/accounts/sign-in/check-credentials.ts";
import { logIn as logInVerb } from "../../../src/modules/accounts/sign-in/log-in.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { newPasswords } from "../../support/passwords.ts";
import { password, statuses, times } from "../../support/school.ts";
import { enroll } from "../../support/second-factor.ts";
import { actions, change, claim, claimsOf, freshAddress, invite, isLetIn, logIn, signUp, stored } from "./newcomers.ts";

const disable = (at: Installation, email: string) =>
  at.storage.control.write((tx) => tx.update(users).set({ disabled_at: tx.now }).where(eq(users.email, email)));

describe("POST /auth/login", () => {
  test("opens a session with a token pair, in any letter case of the address", async () => {
    const at = await newInstallation();
    const { userId, orgId } = await signUp(at);
    const answer = await logIn(at, "  OLGA@example.com ");
    expect(answer.status).toBe(200);
    expect(answer.body.refresh_token).toBeString();
    expect(answer.body).toMatchObject({ token_type: "Bearer", expires_in: 900, refresh_expires_in: 30 * 24 * 60 * 60 });
    expect(claimsOf(answer.body.access_token)).toMatchObject({ sub: userId, org: orgId, amr: ["pwd"] });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect((await actions(at)).at(-1)).toBe("session.opened");
  });

  test("answers the same to an unknown address and a wrong password, and opens no session", async () => {
    const at = await newInstallation();
    await signUp(at);
    const before = await actions(at);
    const unknown = await logIn(at, "nobody@example.com");
    const wrong = await logIn(at, "olga@example.com", { password: "incorrect horse battery" });
    expect(statuses([unknown, wrong])).toEqual([401, 401]);
    const withoutId = ({ body }: typeof wrong) => ({ ...body.error, request_id: "" });
    expect(withoutId(unknown)).toEqual(withoutId(wrong));
    expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()]);
    expect(await actions(at)).toEqual(before);
  });

  test("verifies one hash for every address, with or without an account or a password", async () => {
    const heldTo: unknown[] = [];
    const watchPasswords = (passwords: Passwords): Passwords => ({
      ...passwords,
      verify(hashed, given) {
        heldTo.push(hashed);
        return passwords.verify(hashed, given);
      },
    });
    const at = await newInstallation({ watchPasswords });
    await signUp(at);
    await signUp(at, "provider@example.com");
    await change(at, "provider@example.com", { password_hash: null });
    const asked = [
      await logIn(at, "nobody@example.com"),
      await logIn(at, "provider@example.com"),
      await logIn(at, "olga@example.com"),
    ];
    expect(asked.map(({ status }) => status)).toEqual([401, 401, 200]);
    expect(heldTo).toEqual([undefined, null, expect.stringMatching(/^\$argon2id/)]);
  });

  test("rejects every password if the stored text is not an Argon2 hash, and does not log it", async () => {
    const at = await newInstallation();
    await signUp(at);
    const passwordHash = "$2b$12$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyzabcde";
    await change(at, "olga@example.com", { password_hash: passwordHash });
    const [broken, unknown] = [await logIn(at, "olga@example.com"), await logIn(at, "nobody@example.com")];
    expect([broken.status, broken.body.error.message]).toEqual([401, unknown.body.error.message]);
    expect(at.logged.join("")).toContain("is unreadable");
    expect(at.logged.join("")).not.toContain(passwordHash);
  });

  test("reveals that the account is disabled only after the correct password", async () => {
    const at = await newInstallation();
    const { email } = await signUp(at);
    await disable(at, email);
    expect((await logIn(at, email)).status).toBe(403);
    expect((await logIn(at, email, { password: "incorrect horse battery" })).status).toBe(401);
  });

  test.each([
    ["no password", { email: "olga@example.com" }],
    ["an empty password", { email: "olga@example.com", password: "" }],
    ["an address that is none", { email: "olga", password }],
    ["an organization that is none", { email: "olga@example.com", password, org_id: "egelsbach" }],
    ["an unknown field", { email: "olga@example.com", password, remember: true }],
    ["a list", []],
  ])("rejects %s", async (_, body) => {
    const at = await newInstallation();
    const answer = await at.call("POST", "/auth/login", { body });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain(password);
  });

  test("acts in the named organization, and by default in the one joined first", async () => {
    const at = await newInstallation();
    const first = await signUp(at);
    at.clock.advance(minutes(1));
    const second = await signUp(at, "otto@example.com");
    await claim(at, await invite(at, second, first.email, ["instructor"]), {}, first);

    const org = async (more: object) => claimsOf((await logIn(at, first.email, more)).body.access_token).org;
    expect(await org({})).toBe(first.orgId);
    expect(await org({ org_id: second.orgId })).toBe(second.orgId);
  });

  test("answers the same to another organization and to one that does not exist", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const others = await logIn(at, olga.email, { org_id: otto.orgId });
    const nobodys = await logIn(at, olga.email, { org_id: olga.userId });
    expect(statuses([others, nobodys])).toEqual([403, 403]);
    expect(others.body.error.message).toBe(nobodys.body.error.message);
  });

  test("returns a challenge and no tokens for an account with a second factor, and opens no session", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    await enroll(at, olga);
    const answer = await logIn(at, olga.email, { cookie: true });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      mfa_required: true,
      mfa_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_in: 300,
    });
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect((await actions(at)).at(-1)).toBe("mfa.challenged");
    expect(await isLetIn(at, { ...olga, token: answer.body.mfa_token })).toBe(false);

    expect((await logIn(at, olga.email, { password: "incorrect horse battery" })).status).toBe(401);
  });

  test("limits guesses at one account to 10 in 15 minutes, without locking out other addresses", async () => {
    const at = await newInstallation();
    const { email } = await signUp(at);
    const guess = (from: string) => logIn(at, email, { password: "incorrect horse battery" }, from);
    const answers = await Promise.all(times(11, () => guess("203.0.113.9")));
    expect(statuses(answers)).toEqual([...times(10, () => 401), 429]);
    const refused = await logIn(at, email, {}, "203.0.113.9");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("ratelimit-policy")).toContain('"login";q=10;w=900');

    expect((await logIn(at, email, {}, "203.0.113.10")).status).toBe(200);
    at.clock.advance(minutes(15));
    expect((await logIn(at, email, {}, "203.0.113.9")).status).toBe(200);
  });

  test("a success resets the count of the address and account", async () => {
    const at = await newInstallation();
    const { email } = await signUp(at);
    const from = freshAddress();
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 9; n += 1)
        expect((await logIn(at, email, { password: "incorrect horse battery" }, from)).status).toBe(401);
      expect((await logIn(at, email, {}, from)).status).toBe(200);
    }
  });

  test("limits one client address to 100 in 15 minutes; an IPv6 client counts as its /64", async () => {
    const at = await newInstallation();
    const guess = (n: number) => logIn(at, `somebody${n}@example.com`, {}, `2001:db8:1:2::${n.toString(16)}`);
    for (let n = 0; n < 100; n += 1) expect((await guess(n)).status).toBe(401);
    expect((await guess(100)).status).toBe(429);
    expect((await logIn(at, "somebody@example.com", {}, "2001:db8:1:3::1")).status).toBe(401);
  });

  test("an access token expires with its time, and immediately when the account is disabled", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    at.clock.advance(minutes(15) - 1000);
    expect(await isLetIn(at, olga)).toBe(true);
    at.clock.advance(1000);
    expect(await isLetIn(at, olga)).toBe(false);

    const token = (await logIn(at, olga.email)).body.access_token;
    expect(await isLetIn(at, { ...olga, token })).toBe(true);
    await disable(at, olga.email);
    expect(await isLetIn(at, { ...olga, token })).toBe(false);
  });
});

const cheapPasswords = newPasswords({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });

describe("a password hashed at a lower cost than the current one", () => {
  /** Creates an account at a lower cost, then reopens the installation at the current cost. */
  const today = { memoryCost: 16, timeCost: 2, parallelism: 1 };
  const atTodaysCost = async (email: string) => {
    const at = await newInstallation({ passwordCost: today });
    await signUp(at, email);
    const passwordHash = await cheapPasswords.hash(password);
    await change(at, email, { password_hash: passwordHash });
    return { at, passwordHash };
  };

  test("is rehashed by a successful login, and by no other", async () => {
    const { at, passwordHash } = await atTodaysCost("olga@example.com");
    expect((await logIn(at, "olga@example.com", { password: "a wrong password" })).status).toBe(401);
    expect((await stored(at, "olga@example.com")).password_hash).toBe(passwordHash);

    expect((await logIn(at, "olga@example.com")).status).toBe(200);
    const upgraded = (await stored(at, "olga@example.com")).password_hash;
    expect(upgraded).toStartWith("$argon2id$v=19$m=16,t=2,p=1$");
    expect((await logIn(at, "olga@example.com")).status).toBe(200);
    expect((await stored(at, "olga@example.com")).password_hash).toBe(upgraded);
  });

  test("is accepted in concurrent logins, although one of them replaces the hash", async () => {
    const { at } = await atTodaysCost("olga@example.com");
    const answers = await Promise.all(times(6, () => logIn(at, "olga@example.com")));
    expect(statuses(answers)).toEqual(times(6, () => 200));
  });

  test("does not overwrite a password that was set meanwhile", async () => {
    const { at } = await atTodaysCost("olga@example.com");
    const set = await cheapPasswords.hash("another horse battery");
    const passwords = newPasswords({ cost: today });
    const context = {
      actor: { kind: "anonymous" },
      requestId: "",
      clock: at.clock,
      control: at.storage.control,
      passwords: {
        ...passwords,
        async hash(given: string) {
          await change(at, "olga@example.com", { password_hash: set });
          return passwords.hash(given);
        },
      },
    } as const;
    const input = {
      email: "olga@example.com",
      password,
      client: { address: "", userAgent: "", language: "en" as const },
      cookie: false,
    };
    await expect(logInVerb(context, input)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect((await stored(at, "olga@example.com")).password_hash).toBe(set);
  });
});

describe("the verb logIn", () => {
  /** Changes the account during the check of its password. @returns the refusal */
  const meanwhile = async (change: Partial<typeof users.$inferInsert>) => {
    const at = await newInstallation();
    const { email } = await signUp(at);
    const passwords = cheapPasswords;
    const { control } = at.storage;
    const context = {
      actor: { kind: "anonymous" },
      requestId: "",
      clock: at.clock,
      control,
      passwords: {
        ...passwords,
        async verify(hashed: string | undefined, given: string) {
          const right = await passwords.verify(hashed, given);
          await control.write((tx) => tx.update(users).set(change).where(eq(users.email, email)));
          return right;
        },
      },
    } as const;
    const input = {
      email,
      password,
      client: { address: "192.0.2.1", userAgent: "", language: "en" as const },
      cookie: false,
    };
    return logInVerb(context, input).catch((error: unknown) => error);
  };

  test("rejects an account that is disabled during the check", async () => {
    expect(await meanwhile({ disabled_at: toInstant(new Date()) })).toMatchObject({ code: "FORBIDDEN" });
  });

  test("rejects a password that is replaced during the check", async () => {
    const passwordHash = await cheapPasswords.hash("another horse battery");
    expect(await meanwhile({ password_hash: passwordHash })).toMatchObject({ code: "UNAUTHORIZED" });
  });
});

describe("the verb checkCredentials", () => {
  test("rejects a disabled account: as disabled with the correct password, otherwise as any wrong password", async () => {
    const at = await newInstallation();
    const { email } = await signUp(at);
    const context = { control: at.storage.control, passwords: cheapPasswords };
    const check = (given: string) => checkCredentials(context, { email, password: given });
    expect(await check(password)).toMatchObject({ email, disabled_at: null });

    await disable(at, email);

    await expect(check(password)).rejects.toMatchObject({ code: "FORBIDDEN", reason: "account_disabled" });
    await expect(check("incorrect horse battery")).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });
});
