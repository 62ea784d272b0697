import { expect, test } from "bun:test";
import { personalWords } from "../../src/storage/personal-words.ts";

const words = personalWords({ names: ["Zoë Quux", 'Anna "Anni" Berg', "Cher"], emails: ["zoe@quux.example"] });

test.each([
  ["Zoë Quux noticed it.", "Erased person noticed it."],
  ["ZOË QUUX, zoë  quux", "Erased person, Erased person"],
  ["Zoë\nQuux", "Erased person"],
  ["Zoë Quuxs Flug", "Erased persons Flug"],
  ["(Zoe@Quux.Example)", "(Erased person)"],
  // Others.
  ["Zoë Quuxberg", "Zoë Quuxberg"],
  ["Anzoë Quux", "Anzoë Quux"],
  ["big.zoe@quux.example, zoe@quux.example.org", "big.zoe@quux.example, zoe@quux.example.org"],
  // A name of one word.
  ["Chers Cher", "Chers Cher"],
])("of %p an erasure leaves %p", (text, left) => {
  expect(words?.replaceIn(text)).toBe(left);
});

test("in JSON, names are found as they are escaped, and all else keeps its bytes", () => {
  const json = `{"n":1.50, "by":"Anna \\"Anni\\" Berg","x":["\\u005a", 12345678901234567890]}`;
  expect(words?.replaceInJson(json)).toBe(`{"n":1.50, "by":"Erased person","x":["\\u005a", 12345678901234567890]}`);
});

test("without a name of two words or an address, nothing is looked for", () => {
  expect(personalWords({ names: ["Cher"], emails: [] })).toBeUndefined();
});
