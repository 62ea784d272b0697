/** The evaluation of a subject: what counts as missing, expired and expiring, and when it changes by itself. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type LegalDate, toLegalDate } from "../../../src/core/dates.ts";
import type { RecordId, RequirementId } from "../../../src/modules/compliance/compliance.tables.ts";
import { type Counted, compare } from "../../../src/modules/compliance/evaluations/compare.ts";
import { day, someDay } from "./days.ts";

const requirement = (any_of: string[], levels: string[] = []) => ({
  id: any_of.join() as RequirementId,
  any_of,
  levels,
});
const record = (
  type: string,
  valid_until: string | null,
  { level = null as string | null, warning_days = 30 } = {},
): Counted => ({
  ...{ id: `${type} ${valid_until}` as RecordId, type, level, warning_days },
  valid_until: valid_until as LegalDate | null,
});
const today = day("2026-06-15");

/** As text, so that a failure is readable. */
const told = ({ status, reasons, changes_on }: ReturnType<typeof compare>) => [
  status,
  ...reasons.map(({ any_of, state, valid_until }) => `${any_of} ${state} ${valid_until}`),
  changes_on,
];

test("a document counts through its last day, and is expiring from its days of warning on", () => {
  const on = (until: string) => told(compare([requirement(["sep"])], [record("sep", until)], today));
  expect(on("2026-07-16")).toEqual(["compliant", "2026-06-16"]);
  expect(on("2026-07-15")).toEqual(["expiring", "sep expiring 2026-07-15", "2026-07-16"]);
  expect(on("2026-06-15")).toEqual(["expiring", "sep expiring 2026-06-15", "2026-06-16"]);
  expect(on("2026-06-14")).toEqual(["not_compliant", "sep expired 2026-06-14", null]);
});

test("one of several types is enough, the one that is valid longest; an unlimited one is never expiring", () => {
  const rating = requirement(["sep", "tmg"]);
  const both = [record("sep", "2026-01-31"), record("tmg", "2027-01-31")];
  expect(told(compare([rating], both, today))).toEqual(["compliant", "2027-01-01"]);
  expect(told(compare([rating], [record("tmg", null)], today))).toEqual(["compliant", null]);
  expect(told(compare([rating], [record("mep", null)], today))).toEqual([
    "not_compliant",
    "sep,tmg missing null",
    null,
  ]);
});

test("a level that is not enough does not count", () => {
  const medical = requirement(["medical"], ["class_1", "class_2"]);
  const lapl = record("medical", "2030-01-01", { level: "lapl" });
  expect(compare([medical], [lapl], today).status).toBe("not_compliant");
  expect(compare([medical], [lapl, record("medical", "2029-01-01", { level: "class_2" })], today).status).toBe(
    "compliant",
  );
});

test("the result is the same on every day before `changes_on`, and differs on that day", () => {
  const types = ["sep", "tmg", "medical", "elp"];
  const requirements = fc
    .uniqueArray(fc.constantFrom(...types), { minLength: 1 })
    .map((all) => all.map((type) => requirement([type])));
  const records = fc.array(
    fc
      .tuple(fc.constantFrom(...types), someDay("2026-05-01", "2026-12-31"), fc.integer({ min: 0, max: 60 }))
      .map(([type, until, warning_days]) => record(type, toLegalDate(until), { warning_days })),
    { maxLength: 8 },
  );
  const states = (result: ReturnType<typeof compare>) => result.reasons.map(({ any_of, state }) => [any_of, state]);
  fc.assert(
    fc.property(requirements, records, (all, held) => {
      const now = compare(all, held, today);
      for (let days = 1; days < 300; days += 1) {
        const date = today.add({ days });
        const then = compare(all, held, date);
        if (now.changes_on !== null && toLegalDate(date) >= now.changes_on) {
          expect(states(then)).not.toEqual(states(now));
          return;
        }
        expect(states(then)).toEqual(states(now));
      }
    }),
  );
});
