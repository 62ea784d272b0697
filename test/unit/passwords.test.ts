import { describe, expect, test } from "bun:test";
import * as argon2 from "@node-rs/argon2";
import { yieldToEventLoop } from "../../src/core/async.ts";
import { Problem } from "../../src/core/errors.ts";
import { fairQueue } from "../../src/modules/accounts/passwords/fair-queue.ts";
import { isWeaker, unmatchableHash } from "../../src/modules/accounts/passwords/password-hash.ts";
import { newPasswords } from "../support/passwords.ts";

const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 };

describe("createPasswords", () => {
  test("hashes with Argon2id at OWASP's cost by default, with a salt", async () => {
    const passwords = newPasswords();
    const hashed = await passwords.hash("correct horse battery");
    expect(hashed).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(await passwords.hash("correct horse battery")).not.toBe(hashed);
    expect(await passwords.verify(hashed, "correct horse battery")).toBe(true);
    expect(await passwords.verify(hashed, "correct horse batterY")).toBe(false);
  });

  test("treats composed and decomposed forms of a password as equal", async () => {
    const passwords = newPasswords({ cost: cheap });
    const hashed = await passwords.hash("Schönhagen über alles".normalize("NFD"));
    expect(await passwords.verify(hashed, "Schönhagen über alles".normalize("NFC"))).toBe(true);
  });

  /** Records the hashes that the password is verified against. */
  const watched = (cost = cheap) => {
    const logged: unknown[] = [];
    const heldTo: string[] = [];
    const verify: typeof argon2.verify = (hashed, ...rest) => {
      heldTo.push(String(hashed));
      return argon2.verify(hashed, ...rest);
    };
    const log = { warn: (...line: unknown[]) => void logged.push(line) };
    return { passwords: newPasswords({ cost, log, argon2: { hash: argon2.hash, verify } }), heldTo, logged };
  };

  test.each([[undefined], [null]])("with the hash %s does the same work and returns false", async (none) => {
    const { passwords, heldTo } = watched();
    expect(await passwords.verify(none, "correct horse battery")).toBe(false);
    expect(heldTo).toEqual([expect.stringMatching(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)]);
  });

  test("for a hash of lower cost also does the present work, and returns the correct result", async () => {
    const hashed = await newPasswords({ cost: cheap }).hash("correct horse battery");
    const { passwords, heldTo } = watched({ memoryCost: 16, timeCost: 2, parallelism: 1 });
    expect(await passwords.verify(hashed, "correct horse battery")).toBe(true);
    expect(await passwords.verify(hashed, "correct horse batterY")).toBe(false);
    const todays = expect.stringMatching(/^\$argon2id\$v=19\$m=16,t=2,p=1\$/);
    expect(heldTo).toEqual([hashed, todays, hashed, todays]);
    // A hash of the present cost is verified alone.
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

  test("does not block the event loop", async () => {
    const passwords = newPasswords();
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

  test("rejects work when the queue is full, and accepts work again later", async () => {
    const passwords = newPasswords({ cost: cheap, concurrency: 1, maxWaiting: 1 });
    const answers = await Promise.allSettled(Array.from({ length: 4 }, () => passwords.hash("correct horse battery")));
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    for (const answer of answers)
      if (answer.status === "rejected") {
        expect(answer.reason).toBeInstanceOf(Problem);
        expect(answer.reason).toMatchObject({ code: "RATE_LIMITED", retryAfter: 1 });
      }
    expect(await passwords.hash("correct horse battery")).toStartWith("$argon2id$");
  });

  test("a failing hash frees its place in the queue", async () => {
    const passwords = newPasswords({ cost: cheap, concurrency: 1, maxWaiting: 0 });
    await expect(passwords.hash(null as never)).rejects.toThrow();
    expect(await passwords.hash("correct horse battery")).toStartWith("$argon2id$");
  });
});

describe("fairQueue", () => {
  /** A queue whose work ends when the test says so. */
  function held(maxWaiting: number) {
    const queue = fairQueue({ concurrency: 1, maxWaiting });
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const add = (key: string) =>
      queue(key, () => {
        started.push(key);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const endOne = async () => {
      ends.shift()?.();
      await yieldToEventLoop();
    };
    return { add, started, endOne };
  }

  test("lets keys take turns, so that one with much work delays another by one piece", async () => {
    const { add, started, endOne } = held(100);
    for (const key of ["a", "a", "a", "a", "b", "b", "c"]) void add(key);
    for (const _ of started.concat("a", "a", "a", "a", "b", "b")) await endOne();
    expect(started).toEqual(["a", "a", "b", "c", "a", "b", "a"]);
  });

  test("when it is full, the key with the most waiting work loses its newest, never another's", async () => {
    const { add, started, endOne } = held(4);
    const many = [1, 2, 3, 4, 5, 6].map(() =>
      add("a").then(
        () => "done",
        ({ code }) => code,
      ),
    );
    const one = add("b");
    void add("b");
    void add("b").catch(() => undefined);
    for (let left = 0; left < 6; left += 1) await endOne();
    await one;
    // One ran at once and two of four waited on, since b's first two took places; the sixth never had one.
    expect(await Promise.all(many)).toEqual(["done", "done", "done", "RATE_LIMITED", "RATE_LIMITED", "RATE_LIMITED"]);
    expect(started).toEqual(["a", "a", "b", "a", "b"]);
  });
});

describe("isWeaker", () => {
  const today = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
  const phc = (m: number, t: number) => `$argon2id$v=19$m=${m},t=${t},p=1$c2FsdHNhbHQ$aGFzaGhhc2g`;

  test("detects hashes of lower cost than the present one", () => {
    expect(isWeaker(phc(19_456, 2), today)).toBe(false);
    expect(isWeaker(phc(65_536, 3), today)).toBe(false);
    // OWASP's other parameters of the same strength.
    expect(isWeaker(phc(47_104, 1), today)).toBe(false);
    expect(isWeaker(phc(19_456, 1), today)).toBe(true);
    expect(isWeaker(phc(12_288, 3), today)).toBe(true);
    // More passes do not replace memory.
    expect(isWeaker(phc(8, 100_000), today)).toBe(true);
  });

  test("treats everything except Argon2id, version 19, in PHC format as weaker", () => {
    for (const hash of [
      "$argon2i$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA",
      "$argon2id$v=16$m=19456,t=2,p=1$c2FsdA$aGFzaA",
      "$2b$12$abcdefghijklmnopqrstuv",
      "",
    ])
      expect(isWeaker(hash, today)).toBe(true);
  });

  test("is false for new hashes", async () => {
    const hashed = await newPasswords({ cost: cheap }).hash("correct horse battery");
    expect(isWeaker(hashed, cheap)).toBe(false);
    expect(newPasswords({ cost: cheap }).isOutdated(hashed)).toBe(false);
    expect(newPasswords().isOutdated(hashed)).toBe(true);
  });
});

test("unmatchableHash has the form of a hash of that cost, so it takes the same work, and no password matches it", async () => {
  const hashed = await argon2.hash("correct horse battery", cheap);
  const made = unmatchableHash(cheap);
  const parts = (hash: string) => hash.split("$").map((part, index) => (index > 3 ? part.length : part));
  expect(parts(made)).toEqual(parts(hashed));
  // An unreadable hash would throw at once.
  expect(await argon2.verify(made, "correct horse battery")).toBe(false);
  expect(unmatchableHash(cheap)).not.toBe(made);
});
