import { describe, expect, test } from "bun:test";
import { Problem } from "../../src/core/errors.ts";
import { isWeaker } from "../../src/modules/accounts/password-hash.ts";
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

describe("isWeaker", () => {
  const today = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
  const phc = (m: number, t: number) => `$argon2id$v=19$m=${m},t=${t},p=1$c2FsdHNhbHQ$aGFzaGhhc2g`;

  test("tells what costs a guesser less than today's", () => {
    expect(isWeaker(phc(19_456, 2), today)).toBe(false);
    expect(isWeaker(phc(65_536, 3), today)).toBe(false);
    // OWASP's other pair of the same strength.
    expect(isWeaker(phc(47_104, 1), today)).toBe(false);
    expect(isWeaker(phc(19_456, 1), today)).toBe(true);
    expect(isWeaker(phc(12_288, 3), today)).toBe(true);
    // Passes don't make up for memory.
    expect(isWeaker(phc(8, 100_000), today)).toBe(true);
  });

  test("takes everything for weaker that is not Argon2id, version 19, in PHC form", () => {
    for (const hash of [
      "$argon2i$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA",
      "$argon2id$v=16$m=19456,t=2,p=1$c2FsdA$aGFzaA",
      "$2b$12$abcdefghijklmnopqrstuv",
      "",
    ])
      expect(isWeaker(hash, today)).toBe(true);
  });

  test("holds for the hashes that are made", async () => {
    const hashed = await createPasswords({ cost: cheap }).hash("correct horse battery");
    expect(isWeaker(hashed, cheap)).toBe(false);
    expect(createPasswords({ cost: cheap }).isOutdated(hashed)).toBe(false);
    expect(createPasswords().isOutdated(hashed)).toBe(true);
  });
});
