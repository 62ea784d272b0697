import { describe, expect, test } from "bun:test";
import { Problem } from "../../src/core/errors.ts";
import { newPassword, requireUsable } from "../../src/modules/accounts/password-policy.ts";
import { createPasswords } from "../../src/modules/accounts/passwords.ts";

const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 };

describe("createPasswords", () => {
  test("hashes with Argon2id at OWASP's cost by default, salted", async () => {
    const passwords = createPasswords();
    const hashed = await passwords.hash("correct horse battery");
    expect(hashed).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(await passwords.hash("correct horse battery")).not.toBe(hashed);
    expect(await passwords.verify(hashed, "correct horse battery")).toBe(true);
    expect(await passwords.verify(hashed, "correct horse batterY")).toBe(false);
  });

  test("takes a password for the same, composed or decomposed", async () => {
    const passwords = createPasswords({ cost: cheap });
    const hashed = await passwords.hash("Schönhagen über alles".normalize("NFD"));
    expect(await passwords.verify(hashed, "Schönhagen über alles".normalize("NFC"))).toBe(true);
  });

  test("without a hash does the same work and says no", async () => {
    const passwords = createPasswords();
    expect(await passwords.verify(undefined, "correct horse battery")).toBe(false);
  });

  test("leaves the event loop free meanwhile", async () => {
    const passwords = createPasswords();
    let turns = 0;
    let busy = true;
    const count = () => {
      turns += 1;
      if (busy) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(Array.from({ length: 8 }, () => passwords.hash("correct horse battery")));
    busy = false;
    expect(turns).toBeGreaterThan(50); // on the main thread it would be one or two
  });

  test("refuses beyond its line, and serves again once the line is shorter", async () => {
    const passwords = createPasswords({ cost: cheap, concurrency: 1, maxWaiting: 1 });
    const answers = await Promise.allSettled(Array.from({ length: 4 }, () => passwords.hash("correct horse battery")));
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    for (const answer of answers)
      if (answer.status === "rejected") {
        expect(answer.reason).toBeInstanceOf(Problem);
        expect(answer.reason).toMatchObject({ code: "RATE_LIMITED", retryAfter: 1 });
      }
    expect(await passwords.hash("correct horse battery")).toStartWith("$argon2id$");
  });

  test("a hash that fails does not keep its place", async () => {
    const passwords = createPasswords({ cost: cheap, concurrency: 1, maxWaiting: 0 });
    await passwords.verify("not a hash", "x").catch(() => undefined);
    expect(await passwords.hash("correct horse battery")).toStartWith("$argon2id$");
  });
});

describe("password policy", () => {
  const fits = (password: string) => newPassword.safeParse(password).success;

  test("counts 12 to 128 characters, of any kind", () => {
    expect(fits("a".repeat(11))).toBe(false);
    expect(fits("a".repeat(12))).toBe(true);
    expect(fits("a".repeat(128))).toBe(true);
    expect(fits("a".repeat(129))).toBe(false);
    expect(fits("✈️🛩️🪂 ist schön")).toBe(true);
    expect(fits("🛩".repeat(11))).toBe(false);
    expect(fits("🛩".repeat(128))).toBe(true);
    expect(fits("            ")).toBe(true);
    expect(fits(`\ud800${"a".repeat(12)}`)).toBe(false);
  });

  test("refuses the e-mail address in any case", () => {
    expect(() => requireUsable("Olga@Example.com", { email: "olga@example.com" })).toThrow("not valid");
    expect(() => requireUsable("olga@example.com!", { email: "olga@example.com" })).not.toThrow();
  });
});
