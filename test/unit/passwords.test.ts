import { describe, expect, test } from "bun:test";
import * as argon2 from "@node-rs/argon2";
import { Problem } from "../../src/core/errors.ts";
import { isWeaker } from "../../src/modules/accounts/passwords/password-hash.ts";
import { createPasswords } from "../../src/modules/accounts/passwords/passwords.ts";

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

  /** With an eye on what is computed: which hashes the password was held to. */
  const watched = (cost = cheap) => {
    const logged: unknown[] = [];
    const heldTo: string[] = [];
    const verify: typeof argon2.verify = (hashed, ...rest) => {
      heldTo.push(String(hashed));
      return argon2.verify(hashed, ...rest);
    };
    const log = { warn: (...line: unknown[]) => void logged.push(line) };
    return { passwords: createPasswords({ cost, log, argon2: { hash: argon2.hash, verify } }), heldTo, logged };
  };

  test.each([[undefined], [null]])("with the hash %s does the same work and says no", async (none) => {
    const { passwords, heldTo } = watched();
    expect(await passwords.verify(none, "correct horse battery")).toBe(false);
    expect(heldTo).toEqual([expect.stringMatching(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)]);
  });

  test("of a hash that cost less than today's does today's work as well, and says what it says", async () => {
    const hashed = await createPasswords({ cost: cheap }).hash("correct horse battery");
    const { passwords, heldTo } = watched({ memoryCost: 16, timeCost: 2, parallelism: 1 });
    expect(await passwords.verify(hashed, "correct horse battery")).toBe(true);
    expect(await passwords.verify(hashed, "correct horse batterY")).toBe(false);
    const todays = expect.stringMatching(/^\$argon2id\$v=19\$m=16,t=2,p=1\$/);
    expect(heldTo).toEqual([hashed, todays, hashed, todays]);
    // One of today's is not held to another.
    const todaysOwn = await passwords.hash("correct horse battery");
    expect(await passwords.verify(todaysOwn, "correct horse battery")).toBe(true);
    expect(heldTo).toHaveLength(5);
  });

  test.each(["$2b$12$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyzabcde", "not a hash", ""])(
    "says no to every password for %p, after today's work, and logs it once without it",
    async (hashed) => {
      const { passwords, heldTo, logged } = watched();
      expect(await passwords.verify(hashed, "correct horse battery")).toBe(false);
      expect(await passwords.verify(hashed, hashed)).toBe(false);
      expect(heldTo.filter((held) => held.startsWith("$argon2id$"))).toHaveLength(2);
      expect(logged).toEqual([[{}, expect.stringContaining("is unreadable")]]);
      if (hashed !== "") expect(JSON.stringify(logged)).not.toContain(hashed);
    },
  );

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
    await expect(passwords.hash(null as never)).rejects.toThrow();
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
