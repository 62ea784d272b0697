import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { minutes, toInstant } from "../../../src/core/clock.ts";
import { users } from "../../../src/modules/accounts/accounts.tables.ts";
import { logIn as logInVerb } from "../../../src/modules/accounts/log-in.ts";
import { createPasswords } from "../../../src/modules/accounts/passwords.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { password, statuses, times } from "../../support/school.ts";
import { actions, claim, claimsOf, freshAddress, invite, isLetIn, logIn, signUp } from "./newcomers.ts";

const disable = (at: Installation, email: string) =>
  at.storage.control.write((tx) => tx.update(users).set({ disabledAt: tx.now }).where(eq(users.email, email)));

describe("POST /auth/login", () => {
  test("opens a session with a token pair, whatever the address's case", async () => {
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

  test("answers an unknown address and a wrong password alike, and opens nothing", async () => {
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

  test("tells only whoever knows the password that the account is disabled", async () => {
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
  ])("refuses %s", async (_, body) => {
    const at = await newInstallation();
    const answer = await at.call("POST", "/auth/login", { body });
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain(password);
  });

  test("acts in the organization named, and by default in the one joined first", async () => {
    const at = await newInstallation();
    const first = await signUp(at);
    at.clock.advance(minutes(1));
    const second = await signUp(at, "otto@example.com");
    await claim(at, await invite(at, second, first.email, ["instructor"]), {}, first);

    const org = async (more: object) => claimsOf((await logIn(at, first.email, more)).body.access_token).org;
    expect(await org({})).toBe(first.orgId);
    expect(await org({ org_id: second.orgId })).toBe(second.orgId);
  });

  test("refuses an organization one is no member of as one that does not exist", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const others = await logIn(at, olga.email, { org_id: otto.orgId });
    const nobodys = await logIn(at, olga.email, { org_id: olga.userId });
    expect(statuses([others, nobodys])).toEqual([403, 403]);
    expect(others.body.error.message).toBe(nobodys.body.error.message);
  });

  test("stops guessing at one account after 10 in 15 minutes, and locks nobody out elsewhere", async () => {
    const at = await newInstallation();
    const { email } = await signUp(at);
    const guess = (from: string) => logIn(at, email, { password: "incorrect horse battery" }, from);
    const answers = await Promise.all(times(11, () => guess("203.0.113.9")));
    expect(statuses(answers)).toEqual([...times(10, () => 401), 429]);
    const refused = await logIn(at, email, {}, "203.0.113.9");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("ratelimit-policy")).toBe('"login";q=10;w=900');

    expect((await logIn(at, email, {}, "203.0.113.10")).status).toBe(200);
    at.clock.advance(minutes(15));
    expect((await logIn(at, email, {}, "203.0.113.9")).status).toBe(200);
  });

  test("a success clears the count of the address and account", async () => {
    const at = await newInstallation();
    const { email } = await signUp(at);
    const from = freshAddress();
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 9; n += 1)
        expect((await logIn(at, email, { password: "incorrect horse battery" }, from)).status).toBe(401);
      expect((await logIn(at, email, {}, from)).status).toBe(200);
    }
  });

  test("stops one client address after 100 in 15 minutes; an IPv6 client is its /64", async () => {
    const at = await newInstallation();
    const guess = (n: number) => logIn(at, `somebody${n}@example.com`, {}, `2001:db8:1:2::${n.toString(16)}`);
    for (let n = 0; n < 100; n += 1) expect((await guess(n)).status).toBe(401);
    expect((await guess(100)).status).toBe(429);
    expect((await logIn(at, "somebody@example.com", {}, "2001:db8:1:3::1")).status).toBe(401);
  });

  test("an access token ends with its time, and at once with its account", async () => {
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

describe("the verb logIn", () => {
  /** What happens to the account while its password is being checked. */
  const meanwhile = async (change: Partial<typeof users.$inferInsert>) => {
    const at = await newInstallation();
    const { email } = await signUp(at);
    const passwords = createPasswords({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });
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
    return logInVerb(context, { email, password, client: { address: "192.0.2.1", userAgent: "" } });
  };

  test("refuses an account that is disabled while its password is checked", async () => {
    await expect(meanwhile({ disabledAt: toInstant(new Date()) })).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test("refuses a password that is replaced while it is checked", async () => {
    await expect(meanwhile({ passwordHash: "another" })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });
});
