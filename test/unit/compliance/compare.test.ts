/** The evaluation of a subject: what counts as missing, expired and expiring, and when it changes by itself. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { toLegalDate } from "../../../src/core/dates.ts";
import type { RequirementId } from "../../../src/modules/compliance/compliance.tables.ts";
import { compare as compareWith } from "../../../src/modules/compliance/evaluations/compare.ts";
import { held, withdrawn } from "../clearance/facts.ts";
import { day, someDay } from "./days.ts";

const requirement = (any_of: string[], levels: string[] = []) => ({
  id: any_of.join() as RequirementId,
  any_of,
  levels,
});
const record = (type: string, valid_until: string | null, level: string | null = null) =>
  held(level === null ? type : `${type} ${level}`, "2026-01-01", valid_until);
/** Every type warns 30 days before, but those that are given. */
const compare = (
  requirements: Parameters<typeof compareWith>[0],
  records: ReturnType<typeof held>[],
  on: Temporal.PlainDate,
  warnings: Record<string, number> = {},
) => compareWith(requirements, { records }, { ...usual, ...warnings }, on);
const usual = { sep: 30, tmg: 30, mep: 30, medical: 30, elp: 30 };
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
  const lapl = record("medical", "2030-01-01", "lapl");
  expect(compare([medical], [lapl], today).status).toBe("not_compliant");
  expect(compare([medical], [lapl, record("medical", "2029-01-01", "class_2")], today).status).toBe("compliant");
});

test("of several records of a type and level the newest counts, and a withdrawn one is missing", () => {
  const sep = [held("sep", "2024-01-01", "2028-06-30"), held("sep", "2024-06-01", "2026-05-31")];
  expect(told(compare([requirement(["sep"])], sep, today))).toEqual([
    ...["not_compliant", "sep expired 2026-05-31", null],
  ]);
  const suspended = { ...held("medical class_2", "2026-01-10", "2028-01-10"), ...withdrawn };
  const medicals = [suspended, held("medical lapl", "2026-02-10", "2031-02-10")];
  expect(told(compare([requirement(["medical"])], medicals, today))).toEqual([
    ...["not_compliant", "medical missing null", null],
  ]);
});

test("who holds an LAPL only needs no class rating for it", () => {
  const rating = requirement(["sep", "tmg", "mep"]);
  const licence = (level: string, until: string | null = null) => record("licence", until, level);
  const lacking = ["not_compliant", "sep,tmg,mep missing null", null];
  expect(told(compare([rating], [licence("lapl")], today))).toEqual(["compliant", null]);
  expect(told(compare([rating], [licence("lapl"), licence("ppl")], today))).toEqual(lacking);
  expect(told(compare([rating], [licence("lapl"), licence("ppl", "2026-06-14")], today))).toEqual(["compliant", null]);
  expect(told(compare([rating], [], today))).toEqual(lacking);
  expect(told(compare([rating], [licence("lapl", "2026-06-15")], today))).toEqual(["compliant", "2026-06-16"]);
  expect(told(compare([rating], [licence("lapl", "2026-06-14")], today))).toEqual(lacking);
  // They may not fly an MEP, and what else the school requires counts.
  for (const required of [["mep"], ["sep", "club_check"], ["elp"]])
    expect(compare([requirement(required)], [licence("lapl")], today).status).toBe("not_compliant");
});

test("the result is the same on every day before `changes_on`, and differs on that day", () => {
  const types = ["sep", "tmg", "medical", "elp"];
  const requirements = fc
    .uniqueArray(fc.constantFrom(...types), { minLength: 1 })
    .map((all) => all.map((type) => requirement([type])));
  const records = fc.array(
    fc
      .tuple(fc.constantFrom(...types), someDay("2026-05-01", "2026-12-31"), someDay("2026-01-01", "2026-06-15"))
      .map(([type, until, issued]) => held(type, toLegalDate(issued), toLegalDate(until))),
    { maxLength: 8 },
  );
  const warnings = fc.record(Object.fromEntries(types.map((type) => [type, fc.integer({ min: 0, max: 60 })])));
  const states = (result: ReturnType<typeof compare>) => result.reasons.map(({ any_of, state }) => [any_of, state]);
  fc.assert(
    fc.property(requirements, records, warnings, (all, records, warns) => {
      const now = compare(all, records, today, warns);
      for (let days = 1; days < 300; days += 1) {
        const date = today.add({ days });
        const then = compare(all, records, date, warns);
        if (now.changes_on !== null && toLegalDate(date) >= now.changes_on) {
          expect(states(then)).not.toEqual(states(now));
          return;
        }
        expect(states(then)).toEqual(states(now));
      }
    }),
  );
});
