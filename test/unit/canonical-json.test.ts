import { expect, test } from "bun:test";
import fc from "fast-check";
import { canonicalJson } from "../../src/core/canonical-json.ts";

/** RFC 8785, appendix B: the bits of a number, and its form. */
const numbers: readonly (readonly [bits: string, text: string])[] = [
  ["0000000000000000", "0"],
  ["8000000000000000", "0"],
  ["0000000000000001", "5e-324"],
  ["8000000000000001", "-5e-324"],
  ["7fefffffffffffff", "1.7976931348623157e+308"],
  ["ffefffffffffffff", "-1.7976931348623157e+308"],
  ["4340000000000000", "9007199254740992"],
  ["c340000000000000", "-9007199254740992"],
  ["4430000000000000", "295147905179352830000"],
  ["44b52d02c7e14af5", "9.999999999999997e+22"],
  ["44b52d02c7e14af6", "1e+23"],
  ["44b52d02c7e14af7", "1.0000000000000001e+23"],
  ["444b1ae4d6e2ef4e", "999999999999999700000"],
  ["444b1ae4d6e2ef4f", "999999999999999900000"],
  ["444b1ae4d6e2ef50", "1e+21"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
  ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"],
  ["41b3de4355555554", "333333333.33333325"],
  ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"],
  ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"],
  ["43143ff3c1cb0959", "1424953923781206.2"],
];

const numberOf = (bits: string) => Buffer.from(bits, "hex").readDoubleBE();

test.each(numbers)("the number %s of RFC 8785 is %s", (bits, text) => {
  expect(canonicalJson(numberOf(bits))).toBe(text);
});

test("what JSON has no form for is refused", () => {
  for (const value of [
    numberOf("7fffffffffffffff"),
    numberOf("7ff0000000000000"),
    undefined,
    1n,
    () => 1,
    "\ud800",
    { "\udead": 1 },
  ])
    expect(() => canonicalJson(value)).toThrow(TypeError);
});

test("the object of RFC 8785, 3.2.2, has the bytes of 3.2.4", () => {
  const input = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  const bytes = `7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72 75 65 2c 66 61 6c 73 65 5d 2c 22 6e 75 6d 62
    65 72 73 22 3a 5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31 65 2b 33 30 2c 34 2e 35 2c 30 2e 30 30
    32 2c 31 65 2d 32 37 5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30 30 66 5c 6e 41 27 42 5c 22 5c 5c
    5c 5c 5c 22 2f 22 7d`;
  expect(Buffer.from(canonicalJson(JSON.parse(input))).toString("hex")).toBe(bytes.replace(/\s/g, ""));
});

test("the names of RFC 8785, 3.2.3, are sorted by UTF-16 code units", () => {
  const input = String.raw`{
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis"
  }`;
  expect(Object.values(JSON.parse(canonicalJson(JSON.parse(input))))).toHaveLength(7);
  const words = canonicalJson(JSON.parse(input)).match(/(?<=:")[^"]+/g);
  expect(words).toEqual([
    "Carriage Return",
    "One",
    "Control",
    "Latin Small Letter O With Diaeresis",
    "Euro Sign",
    "Emoji: Grinning Face",
    "Hebrew Letter Dalet With Dagesh",
  ]);
});

/** Sorts by the bytes of UTF-16, big-endian, and writes with a replacer: another way to the same text. */
function written(value: unknown): string {
  const bytes = (name: string) => Buffer.from(name, "utf16le").swap16();
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? new Proxy(member, {
          ownKeys: (target) => Reflect.ownKeys(target).sort((a, b) => bytes(String(a)).compare(bytes(String(b)))),
        })
      : member,
  );
}

test("any value has the form that an independent sort gives, and stays the same value", () => {
  const wellFormed = fc.jsonValue({ noUnicodeString: false }).filter((value) => !/\\ud/i.test(JSON.stringify(value)));
  fc.assert(
    fc.property(wellFormed, (value) => {
      expect(canonicalJson(value)).toBe(written(value));
      expect(canonicalJson(JSON.parse(canonicalJson(value)))).toBe(canonicalJson(value));
    }),
    { numRuns: 500 },
  );
});
