/** What the console says of the rules that are against a flight or a booking. */
import { expect, test } from "bun:test";
import { de } from "../../src/console/text/de.ts";
import { en } from "../../src/console/text/en.ts";
import { planning as planningDe } from "../../src/console/text/planning.de.ts";
import { planning as planningEn } from "../../src/console/text/planning.en.ts";
import { unbookable } from "../../src/modules/planning/sessions/unbookable.values.ts";

for (const [language, { flights }, planning] of [
  ["English", en, planningEn],
  ["German", de, planningDe],
] as const)
  test(`a rule is one sentence, so that it can follow a name and a colon, in ${language}`, () => {
    // No fragment such as "already booked", and no second colon as in "LAPL: …".
    for (const sentence of Object.values({ ...flights.rules, ...planning.rules }))
      expect(sentence).toMatch(/^[A-ZÄÖÜ0-9][^:]* [^:]*[^.:]$/u);
  });

test("what of a booking is archived since is said in words of the console", () => {
  const archived = unbookable.filter((reason) => reason.endsWith("_archived"));
  for (const { rules } of [planningEn, planningDe]) expect(rules).toContainKeys(archived);
});
