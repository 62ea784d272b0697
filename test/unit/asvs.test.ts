/** Checks ASVS.md of accounts, mainly its table of OWASP ASVS, against the code and the tests that it names. */
import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { newId } from "../../src/core/ids.ts";
import { createAttemptLimits } from "../../src/modules/accounts/attempt-limits.ts";
import { TestClock } from "../support/clock.ts";

const root = new URL("../../", import.meta.url);
const page = await Bun.file(new URL("src/modules/accounts/ASVS.md", root)).text();

/** Returns the text under a heading. */
const section = (heading: string) => page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";

/**
 * The levels of all requirements of chapters 6, 7, 9 and 10 of ASVS 5.0.0, by section: the third digit of 6.1 is
 * the level of 6.1.3.
 */
const levels: Record<string, string> = {
  "6.1": "122",
  "6.2": "111111112222",
  "6.3": "11223333",
  "6.4": "112233",
  "6.5": "22222333",
  "6.6": "2223",
  "6.7": "33",
  "6.8": "2222",
  "7.1": "222",
  "7.2": "1111",
  "7.3": "22",
  "7.4": "11222",
  "7.5": "223",
  "7.6": "22",
  "9.1": "111",
  "9.2": "1222",
  "10.1": "22",
  "10.2": "223",
  "10.3": "22223",
  "10.4": "1111122222233333",
  "10.5": "22222",
  "10.6": "22",
  "10.7": "222",
};

/** The requirements of levels 1 and 2, by id. */
const requirements = new Map(
  Object.entries(levels).flatMap(([part, digits]) =>
    [...digits].map((level, n): [string, string] => [`${part}.${n + 1}`, level]).filter(([, level]) => level !== "3"),
  ),
);

const table = section("OWASP ASVS 5.0");
const rows = table
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [id = "", level = "", asks = "", met = "", how = "", tests = "", ...more] = line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim());
    return { id, level, asks, met, how, more, tests: tests === "–" ? [] : tests.split("<br>").map(citation) };
  });

/** `file` › name */
function citation(text: string): { file: string; name: string } {
  const [, file = "", name = ""] = /^`([^`]+\.test\.ts)` › (.+)$/.exec(text) ?? [];
  return { file: file.includes("/") ? `test/${file}` : `test/http/accounts/${file}`, name };
}

describe("the table of OWASP ASVS", () => {
  test("has every requirement of levels 1 and 2 once, in order, or the reason why it does not apply", () => {
    const exempt = [...table.matchAll(/^- ([\d., ]+):/gm)].flatMap(([, ids]) => (ids ?? "").split(", "));
    const isExempt = (id: string) => exempt.some((one) => one === id || id.startsWith(`${one}.`));
    const applying = [...requirements].filter(([id]) => !isExempt(id));
    expect(rows.map(({ id, level }) => [id, level])).toEqual(applying);
    expect(
      exempt.filter((one) => ![...requirements.keys()].some((id) => id === one || id.startsWith(`${one}.`))),
    ).toEqual([]);
  });

  test("states for each requirement whether and how it is met, with a test", () => {
    for (const { id, asks, met, how, more, tests } of rows) {
      expect([id, ["yes", "partly", "no"].includes(met), asks !== "", how !== "", more]).toEqual([
        id,
        true,
        true,
        true,
        [],
      ]);
      expect([id, tests.length > 0]).toEqual([id, met !== "no"]);
    }
  });

  test("names only existing tests", async () => {
    const missing = [];
    for (const { file, name } of rows.flatMap(({ tests }) => tests)) {
      const source = Bun.file(new URL(file, root));
      const text = (await source.exists()) ? await source.text() : "";
      if (!definitions(text).has(name)) missing.push(`${file} › ${name}`);
    }
    expect(missing).toEqual([]);
  });
});

/** Returns the names of the tests that a file defines, without skipped tests and todos. */
function definitions(text: string): Set<string> {
  const named = /(?:^|\n)\s*(?:test(?:\.each(?:<[^\n]*>)?\(\w+\))?|\]\))\(\s*"((?:[^"\\]|\\.)+)"/g;
  return new Set([...text.matchAll(named)].map(([, name]) => JSON.parse(`"${name}"`)));
}

test("the limits in ASVS.md are the limits in force", async () => {
  const held: string[] = [];
  const set = {
    headers: {
      set "ratelimit-policy"(policy: string) {
        held.push(policy.replace(/^"[\w-]+";/, ""));
      },
    },
  };
  const clock = new TestClock();
  const limits = createAttemptLimits(clock);
  const client = { address: "192.0.2.1", userAgent: "", language: "en" } as const;
  await limits.logInFrom(set, client);
  await limits.logIn(set, client, "ada@example.com");
  await limits.signUp(set, client);
  await limits.refresh(set, "a session");
  await limits.changePassword(set, "a user");
  await limits.forgotPasswordFrom(set, client);
  await limits.forgotPassword(set, "ada@example.com");
  limits.verificationMails(set).requirePassed(undefined);
  await limits.invite(set, "an organization");
  await limits.claim(set, client);
  await limits.issueHandoff(set, "a user");
  await limits.secondFactor(set).count(newId<"user">(clock));

  const seconds = (span: string) =>
    span === "an hour" ? 3600 : span === "a minute" ? 60 : 60 * Number(/\d+/.exec(span)?.[0]);
  const [, written = ""] = /\n(\|[\s\S]*?)\n\n/.exec(section("Limits, per node")) ?? [];
  const found = [...written.matchAll(/(\d+) (?:in )?(an hour|a minute|\d+ minutes)/g)];
  expect(found.map(([, count, span = ""]) => `q=${count};w=${seconds(span)}`).sort()).toEqual(held.sort());
});

test("the list of audit actions in ASVS.md is complete", async () => {
  const written = new Set<string>();
  for (const folder of ["accounts", "organizations"])
    for await (const file of new Glob(`src/modules/${folder}/**/*.ts`).scan(root.pathname)) {
      const text = await Bun.file(new URL(file, root)).text();
      for (const [, actions = ""] of text.matchAll(
        /\b(?:audit|auditSecondFactor)\(\s*tx,\s*(?:\{[^}]*\}[^,]*,|[\w.]+,)([^{]*)/g,
      ))
        for (const [, action = ""] of actions.matchAll(/["`]([a-z_]+\.[a-z_]+)["`]/g)) written.add(action);
      // `addRow` and `changeRow` take it by name.
      for (const [, action = ""] of text.matchAll(/\baction: "([a-z_]+\.[a-z_]+)"/g)) written.add(action);
    }
  const removed = ["email_tokens", "mfa_challenges", "handoff_tokens", "oauth_flows"].map((kind) => `${kind}.removed`);
  const named = section("What the audit log has").matchAll(/`([a-z_]+\.[a-z_]+)`/g);
  // `organization.updated` stands there twice: both databases have it.
  const listed = new Set([...named].map(([, action = ""]) => action));
  const inPeople = ["person.linked", "person.not_linked"];
  expect([...listed].sort()).toEqual([...written, ...removed, ...inPeople].sort());
});

test("random values come from a cryptographic generator", async () => {
  const found = [];
  for (const folder of ["src/core", "src/http", "src/modules/accounts", "src/modules/organizations"])
    for await (const file of new Glob(`${folder}/**/*.ts`).scan(root.pathname))
      if (/Math\.random/.test(await Bun.file(new URL(file, root)).text())) found.push(file);
  expect(found).toEqual([]);
});
