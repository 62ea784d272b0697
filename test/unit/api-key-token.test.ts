import { expect, test } from "bun:test";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { hintOf, isApiKeyToken, newApiKeyToken } from "../../src/modules/integrations/api-keys/api-key-token.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const character = fc.constantFrom(...alphabet);
const body = fc.string({ unit: character, minLength: 30, maxLength: 30 });

/** Computes the check characters independently of the code under test. */
const check = (text: string): string => {
  let rest = BigInt(crc32(text));
  const digits = Array.from({ length: 6 }, () => {
    const digit = alphabet.charAt(Number(rest % 62n));
    rest /= 62n;
    return digit;
  });
  return digits.reverse().join("");
};

test("newApiKeyToken makes 30 random characters and 6 check characters", () => {
  for (let n = 0; n < 200; n += 1) {
    const token = newApiKeyToken();
    expect(token).toMatch(/^svc_pk_[0-9A-Za-z]{36}$/);
    expect(token.slice(-6)).toBe(check(token.slice(7, 37)));
    expect(isApiKeyToken(token)).toBeTrue();
  }
});

test("newApiKeyToken has a uniform distribution of characters", () => {
  const counts = new Map<string, number>();
  const keys = 4000;
  for (let n = 0; n < keys; n += 1)
    for (const char of newApiKeyToken().slice(7, 37)) counts.set(char, (counts.get(char) ?? 0) + 1);

  const expected = (keys * 30) / 62;
  // Chi-squared with 61 degrees of freedom exceeds 130 about once in a million runs. Taking a byte modulo 62
  // would produce eight characters 25 % too often, and a value of about 900.
  const chiSquared = [...alphabet].reduce((sum, char) => sum + ((counts.get(char) ?? 0) - expected) ** 2 / expected, 0);
  expect(chiSquared).toBeLessThan(130);
});

test("isApiKeyToken accepts valid check characters, also with leading zeros", () => {
  fc.assert(fc.property(body, (text) => isApiKeyToken(`svc_pk_${text}${check(text)}`)));
});

test("isApiKeyToken rejects a single wrong character at any position", () => {
  const mistyped = fc.tuple(body, fc.nat({ max: 35 }), character);
  fc.assert(
    fc.property(mistyped, ([text, at, char]) => {
      const key = text + check(text);
      fc.pre(key.charAt(at) !== char);
      return !isApiKeyToken(`svc_pk_${key.slice(0, at)}${char}${key.slice(at + 1)}`);
    }),
  );
});

test("isApiKeyToken rejects two swapped neighbours", () => {
  fc.assert(
    fc.property(body, fc.nat({ max: 34 }), (text, at) => {
      const key = text + check(text);
      const [a, b] = [key.charAt(at), key.charAt(at + 1)];
      fc.pre(a !== b);
      return !isApiKeyToken(`svc_pk_${key.slice(0, at)}${b}${a}${key.slice(at + 2)}`);
    }),
  );
});

test("isApiKeyToken rejects any other text", () => {
  const token = newApiKeyToken();
  for (const text of ["", "svc_pk_", token.slice(1), `${token}0`, `${token}\n`, token.replace("pk", "sk"), ` ${token}`])
    expect(isApiKeyToken(text)).toBeFalse();
});

test("hintOf shows four of the random characters", () => {
  const token = newApiKeyToken();
  expect(hintOf(token)).toBe(token.slice(0, 11));
});
