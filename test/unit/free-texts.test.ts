import { expect, test } from "bun:test";
import { erased, freeTexts, namesIn, notPersonal, replaced } from "../support/free-texts.ts";

test("for each column of text it is decided whether an erasure clears it, replaces the name in it, or leaves it", () => {
  // A new one belongs into a module's `personal` (src/storage/personal-data.ts), and into test/support/free-texts.ts.
  const decided = [erased, replaced, notPersonal].flatMap(namesIn);
  expect(decided.sort()).toEqual(freeTexts().sort());
});
