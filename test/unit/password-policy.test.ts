import { describe, expect, test } from "bun:test";
import { dictionary } from "@zxcvbn-ts/language-common";
import { commonPasswords } from "../../src/modules/accounts/passwords/common-passwords.ts";
import { isCommon, newPassword, requireUsable } from "../../src/modules/accounts/passwords/password-policy.ts";

const reasons = (password: string) => newPassword.safeParse(password).error?.issues.map(({ message }) => message);

describe("newPassword", () => {
  test("accepts 12 to 128 characters of any kind", () => {
    const fits = (password: string) => reasons(password) === undefined;
    expect(fits("x".repeat(11))).toBe(false);
    expect(fits("x".repeat(12))).toBe(true);
    expect(fits("x".repeat(128))).toBe(true);
    expect(fits("x".repeat(129))).toBe(false);
    expect(fits("✈️🛩️🪂 ist schön")).toBe(true);
    expect(fits("🛩".repeat(11))).toBe(false);
    expect(fits("🛩".repeat(128))).toBe(true);
    expect(fits("            ")).toBe(true);
    expect(fits(`\ud800${"a".repeat(12)}`)).toBe(false);
  });

  test("rejects every common password that is long enough, with a message", () => {
    const long = dictionary["passwords-common"].filter((password) => password.length >= 12);
    expect(long.length).toBeGreaterThan(300);
    const reason = ["Must not be among the most common passwords. Attackers try those first."];
    expect(long.filter((password) => reasons(password)?.[0] !== reason[0])).toEqual([]);
  });

  test("reports one fault at a time: a short password is not also reported as common", () => {
    expect(reasons("password")).toEqual(["Must have 12 to 128 characters."]);
  });
});

describe("isCommon", () => {
  test("finds every entry of the list that is long enough, in any case and width, and no other", () => {
    const all = dictionary["passwords-common"];
    expect(all).toHaveLength(49_233);
    // In ASCII, so no longer spelling of one is a shorter one of the others.
    expect(all.filter((password) => !/^[!-~]+$/.test(password))).toEqual([]);
    const long = all.filter(({ length }) => length >= 12).map((password) => password.toLowerCase());
    expect([...commonPasswords].sort()).toEqual([...new Set(long)].sort());
    expect(long.filter((password) => !isCommon(password))).toEqual([]);
    for (const same of ["1qaz2wsx3edc", "1QAZ2WSX3EDC", "１qaz２wsx３edc"]) expect(isCommon(same)).toBe(true);
    for (const rare of ["correct horse battery", "1qaz2wsx3edc!", ""]) expect(isCommon(rare)).toBe(false);
  });
});

describe("requireUsable", () => {
  test("rejects the e-mail address in any case and width, with the path of the field", () => {
    const olga = { email: "olga@example.com" };
    for (const same of ["Olga@Example.com", " olga@example.com ", "ｏlga@example.com"])
      expect(() => requireUsable(same, olga)).toThrow("not valid");
    expect(() => requireUsable("olga@example.com!", olga)).not.toThrow();
    try {
      requireUsable("olga@example.com", olga, "new_password");
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ issues: [{ path: "new_password" }] });
    }
  });
});
