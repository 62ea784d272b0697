import { expect, test } from "bun:test";
import { erased, exceptions, freeTexts, namesIn } from "../support/free-texts.ts";

const all = [...freeTexts("tenant"), ...freeTexts("control")];
const left = exceptions.flatMap(({ columns }) => namesIn(columns));

test("what an erasure clears or leaves is a column with text, and is left for one reason", () => {
  expect([...namesIn(erased), ...left].filter((name) => !all.includes(name))).toEqual([]);
  expect(left.filter((name, at) => left.indexOf(name) !== at)).toEqual([]);
});

test("in a table with rows of a person's own, it is decided of each column of text whether an erasure clears it", () => {
  // A new one belongs into a module's `personal` (src/storage/personal-data.ts), and into test/support/free-texts.ts.
  const decided = new Set([...namesIn(erased), ...left]);
  const own = all.filter((name) => name.slice(0, name.indexOf(".")) in erased);
  expect(own.filter((name) => !decided.has(name))).toEqual([]);
});
