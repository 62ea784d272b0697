/** How long documents are valid: the cases an examiner has to look up, and what holds for every date. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { otherLevelsAfter } from "../../../src/modules/compliance/rules/other-levels.ts";
import type { Method } from "../../../src/modules/compliance/rules/rule.ts";
import { type Document, documents, validityRules } from "../../../src/modules/compliance/rules/rules.ts";
import { type Examination, hasReached, validityAfter } from "../../../src/modules/compliance/rules/validity.ts";
import { day, someDay } from "./days.ts";

interface Given {
  born?: string;
  done: string;
  previous?: string;
  commercial?: true;
  by?: Method;
  inARow?: number;
}

function untilOf(document: Document, { born, done, previous, commercial, by, inARow }: Given): string {
  const examination: Examination = {
    done_on: day(done),
    previous_until: previous === undefined ? undefined : day(previous),
    date_of_birth: born === undefined ? undefined : day(born),
    single_pilot_commercial: commercial,
    method: by,
    in_a_row: inARow,
  };
  return lastDay(document, examination);
}

/** Why there is none, or the last day. */
function lastDay(document: Document, examination: Examination): string {
  const validity = validityAfter(validityRules[document], examination);
  return typeof validity === "string" ? validity : String(validity.valid_until);
}

const flown = { previous: "2026-02-28", by: "experience" } as const;
const extended = { previous: "2026-06-30", by: "extension" } as const;

const cases: [name: string, document: Document, given: Given, until: string][] = [
  ["class 1: 12 months", "medical_class_1", { born: "1990-01-01", done: "2026-03-15" }, "2027-03-15"],
  ["class 1 at 40", "medical_class_1", { born: "1986-03-15", done: "2026-03-15" }, "2027-03-15"],
  [
    "class 1 at 40, single-pilot commercial: 6 months",
    "medical_class_1",
    { born: "1986-03-15", done: "2026-03-15", commercial: true },
    "2026-09-15",
  ],
  [
    "class 1 the day before 40, single-pilot commercial",
    "medical_class_1",
    { born: "1986-03-16", done: "2026-03-15", commercial: true },
    "2027-03-15",
  ],
  ["class 1 the day before 60", "medical_class_1", { born: "1966-03-16", done: "2026-03-15" }, "2027-03-15"],
  ["class 1 at 60: 6 months", "medical_class_1", { born: "1966-03-15", done: "2026-03-15" }, "2026-09-15"],
  [
    "class 1 from 31 August ends in February",
    "medical_class_1",
    { born: "1960-01-01", done: "2026-08-31" },
    "2027-02-28",
  ],

  ["class 2: 60 months", "medical_class_2", { born: "2000-05-01", done: "2026-03-15" }, "2031-03-15"],
  ["class 2 at 37, on the birthday", "medical_class_2", { born: "1985-06-15", done: "2022-06-15" }, "2027-06-15"],
  [
    "class 2 a day later: the 42nd birthday",
    "medical_class_2",
    { born: "1985-06-15", done: "2022-06-16" },
    "2027-06-15",
  ],
  ["class 2 the day before 40", "medical_class_2", { born: "1985-06-15", done: "2025-06-14" }, "2027-06-15"],
  ["class 2 at 40: 24 months", "medical_class_2", { born: "1985-06-15", done: "2025-06-15" }, "2027-06-15"],
  ["class 2 at 48", "medical_class_2", { born: "1975-03-10", done: "2024-03-10" }, "2026-03-10"],
  [
    "class 2 the day before 50: the 51st birthday",
    "medical_class_2",
    { born: "1975-03-10", done: "2025-03-09" },
    "2026-03-10",
  ],
  ["class 2 at 50: 12 months", "medical_class_2", { born: "1975-03-10", done: "2025-03-10" }, "2026-03-10"],
  ["class 2 at 75", "medical_class_2", { born: "1950-12-31", done: "2026-02-28" }, "2027-02-28"],
  [
    "born on 29 February, the day before 40",
    "medical_class_2",
    { born: "1984-02-29", done: "2024-02-28" },
    "2026-02-28",
  ],
  ["born on 29 February, at 40", "medical_class_2", { born: "1984-02-29", done: "2024-02-29" }, "2026-02-28"],
  ["born on 29 February, 42 without one", "medical_class_2", { born: "1984-02-29", done: "2022-05-01" }, "2026-02-28"],

  ["LAPL: 60 months", "medical_lapl", { born: "2000-05-01", done: "2026-03-15" }, "2031-03-15"],
  ["LAPL just under 40: the 42nd birthday", "medical_lapl", { born: "1985-06-15", done: "2025-06-14" }, "2027-06-15"],
  ["LAPL at 40: 24 months", "medical_lapl", { born: "1985-06-15", done: "2025-06-15" }, "2027-06-15"],
  ["LAPL at 55: 24 months", "medical_lapl", { born: "1971-01-01", done: "2026-03-15" }, "2028-03-15"],

  [
    "revalidated 45 days early: from the expiry",
    "medical_class_2",
    { born: "1970-01-01", done: "2026-07-17", previous: "2026-08-31" },
    "2027-08-31",
  ],
  [
    "46 days early: from the examination",
    "medical_class_2",
    { born: "1970-01-01", done: "2026-07-16", previous: "2026-08-31" },
    "2027-07-16",
  ],
  [
    "revalidated on the last day",
    "medical_class_2",
    { born: "1970-01-01", done: "2026-08-31", previous: "2026-08-31" },
    "2027-08-31",
  ],
  [
    "renewed a day too late: from the examination",
    "medical_class_2",
    { born: "1970-01-01", done: "2026-09-01", previous: "2026-08-31" },
    "2027-09-01",
  ],

  ["SEP: 24 months to the month's end", "sep", { done: "2026-02-10" }, "2028-02-29"],
  ["SEP from 29 February", "sep", { done: "2024-02-29" }, "2026-02-28"],
  ["SEP checked 3 months before: from the expiry", "sep", { done: "2025-11-28", previous: "2026-02-28" }, "2028-02-29"],
  ["SEP checked earlier: from the check", "sep", { done: "2025-11-27", previous: "2026-02-28" }, "2027-11-30"],
  [
    "SEP by experience, 12 months before",
    "sep",
    { done: "2025-03-15", previous: "2026-02-28", by: "experience" },
    "2028-02-29",
  ],
  ["SEP by experience, on the last day", "sep", { ...flown, done: "2026-02-28" }, "2028-02-29"],
  ["SEP by experience, on the first day of the 12 months", "sep", { ...flown, done: "2025-02-28" }, "2028-02-29"],
  ["SEP by experience, a day too early", "sep", { ...flown, done: "2025-02-27" }, "too_early"],
  ["SEP by experience, lapsed", "sep", { ...flown, done: "2026-03-01" }, "lapsed"],
  ["SEP by experience, without one", "sep", { done: "2026-03-01", by: "experience" }, "not_held"],
  ["TMG by experience, lapsed", "tmg", { ...flown, done: "2026-03-01" }, "lapsed"],
  ["TMG by experience, on the last day", "tmg", { ...flown, done: "2026-02-28" }, "2028-02-29"],
  ["MEP by experience", "mep", { ...flown, done: "2026-02-01" }, "not_by_this_method"],
  ["IR by experience", "ir", { ...flown, done: "2026-02-01" }, "not_by_this_method"],
  ["FI by experience", "fi", { ...flown, done: "2026-02-01" }, "not_by_this_method"],
  ["ELP by experience", "elp_4", { ...flown, done: "2026-02-01" }, "not_by_this_method"],
  [
    "class 2 by experience",
    "medical_class_2",
    { ...flown, born: "1990-01-01", done: "2026-02-01" },
    "not_by_this_method",
  ],
  ["SEP by a review", "sep", { done: "2026-02-01", by: "review" }, "not_by_this_method"],
  ["SEP renewed", "sep", { done: "2026-03-01", previous: "2026-02-28" }, "2028-03-31"],
  ["TMG", "tmg", { done: "2026-07-31" }, "2028-07-31"],
  ["MEP: 12 months", "mep", { done: "2026-01-31" }, "2027-01-31"],
  ["IR checked 3 months before", "ir", { done: "2026-03-31", previous: "2026-06-30" }, "2027-06-30"],
  ["FI: 3 years, to the month's end", "fi", { done: "2024-02-29" }, "2027-02-28"],
  ["CRI: 3 years, to the month's end", "cri", { done: "2024-02-29" }, "2027-02-28"],
  ["FI: to the end of a leap February", "fi", { done: "2025-02-10" }, "2028-02-29"],
  ["FI assessed 12 months before", "fi", { done: "2026-05-31", previous: "2027-05-31" }, "2030-05-31"],
  ["FI assessed earlier", "fi", { done: "2026-05-30", previous: "2027-05-31" }, "2029-05-31"],
  ["FI renewed", "fi", { done: "2027-06-01", previous: "2027-05-31" }, "2030-06-30"],
  ["ELP 4: 4 years", "elp_4", { done: "2024-02-29" }, "2028-02-29"],
  ["ELP 5: 6 years", "elp_5", { done: "2026-03-15", previous: "2026-04-01" }, "2032-03-15"],
  ["ELP 6: unlimited", "elp_6", { done: "2026-03-15" }, "null"],

  ["ARC: 1 year", "arc", { done: "2024-02-29" }, "2025-02-28"],
  ["ARC reviewed 90 days early: keeps the date", "arc", { done: "2026-04-01", previous: "2026-06-30" }, "2027-06-30"],
  ["ARC reviewed 91 days early", "arc", { done: "2026-03-31", previous: "2026-06-30" }, "2027-03-31"],
  ["ARC reviewed on the last day", "arc", { done: "2026-06-30", previous: "2026-06-30" }, "2027-06-30"],
  ["ARC reviewed a day too late", "arc", { done: "2026-07-01", previous: "2026-06-30" }, "2027-07-01"],
  ["ARC extended 30 days early: keeps the date", "arc", { ...extended, done: "2026-05-31" }, "2027-06-30"],
  ["ARC extended 31 days early", "arc", { ...extended, done: "2026-05-30" }, "2027-05-30"],
  ["ARC extended on the last day", "arc", { ...extended, done: "2026-06-30" }, "2027-06-30"],
  ["ARC extended a day too late", "arc", { ...extended, done: "2026-07-01" }, "lapsed"],
  ["ARC extended without one", "arc", { done: "2026-06-30", by: "extension" }, "not_held"],
  ["ARC extended twice", "arc", { ...extended, done: "2026-06-15", inARow: 1 }, "2027-06-30"],
  ["ARC extended a third time", "arc", { ...extended, done: "2026-06-15", inARow: 2 }, "too_many_in_a_row"],
  ["ARC reviewed after two extensions", "arc", { done: "2026-06-15", previous: "2026-06-30", inARow: 2 }, "2027-06-30"],
  ["ARC by a check", "arc", { done: "2026-06-15", by: "check" }, "not_by_this_method"],
];

describe("validityAfter", () => {
  test.each(cases)("%s", (_, document, given, until) => {
    expect(untilOf(document, given)).toBe(until);
  });

  test("says that the date of birth is not known where the period depends on the age, or is after the examination", () => {
    for (const document of ["medical_class_1", "medical_class_2", "medical_lapl"] as const) {
      expect(untilOf(document, { done: "2026-03-15" })).toBe("date_of_birth_unknown");
      expect(untilOf(document, { done: "2026-03-15", born: "2026-03-16" })).toBe("date_of_birth_unknown");
    }
  });

  test.each([
    [
      "class_1",
      "1990-01-01",
      [
        ["class_2", "2031-03-15"],
        ["lapl", "2031-03-15"],
      ],
    ],
    [
      "class_1",
      "1986-03-15",
      [
        ["class_2", "2028-03-15"],
        ["lapl", "2028-03-15"],
      ],
    ],
    [
      "class_1",
      "1986-03-16",
      [
        ["class_2", "2028-03-16"],
        ["lapl", "2028-03-16"],
      ],
    ],
    [
      "class_1",
      "1970-01-01",
      [
        ["class_2", "2027-03-15"],
        ["lapl", "2028-03-15"],
      ],
    ],
    ["class_2", "1970-01-01", [["lapl", "2028-03-15"]]],
    ["lapl", "1970-01-01", []],
  ])("a medical %s of a holder born on %s covers %p", (level, born, expected) => {
    const exam = { type: "medical", level, done_on: day("2026-03-15") };
    const dates = otherLevelsAfter(exam, day(born)).map((one) => [one.level, String(one.valid_until)]);
    expect(dates).toEqual(expected);
    expect(otherLevelsAfter(exam, undefined)).toEqual([]);
  });

  const examination = fc.record({
    document: fc.constantFrom(...documents),
    birth: someDay("1940-01-01", "2009-12-31"),
    done: someDay("2026-01-01", "2030-12-31"),
    /** Days from the examination to the expiry before. */
    left: fc.integer({ min: -400, max: 400 }),
    commercial: fc.boolean(),
  });

  test("a document is valid on the day of its examination, and a revalidation in time is never shorter than a renewal", () => {
    fc.assert(
      fc.property(examination, ({ document, birth, done, left, commercial }) => {
        const given = { done_on: done, date_of_birth: birth, single_pilot_commercial: commercial };
        const rule = validityRules[document];
        const [one, other] = [
          validityAfter(rule, given),
          validityAfter(rule, { ...given, previous_until: done.add({ days: left }) }),
        ];
        if (typeof one === "string" || typeof other === "string") return false;
        const [fresh, next] = [one.valid_until, other.valid_until];
        if (fresh === null || next === null) return fresh === next;
        const order = Temporal.PlainDate.compare;
        return order(fresh, done) >= 0 && order(next, fresh) >= 0;
      }),
    );
  });

  test("no medical of class 2 or for the LAPL made before the 40th birthday outlives the 42nd, nor one of class 2 before the 50th the 51st", () => {
    fc.assert(
      fc.property(
        examination,
        fc.constantFrom("medical_class_2", "medical_lapl"),
        ({ birth, done, left }, document) => {
          const validity = validityAfter(validityRules[document], {
            ...{ done_on: done, date_of_birth: birth, previous_until: done.add({ days: left }) },
          });
          if (typeof validity === "string" || validity.valid_until === null) return false;
          const until = validity.valid_until;
          const outlives = (age: number) => Temporal.PlainDate.compare(until, birth.add({ years: age })) > 0;
          if (!hasReached(40, birth, done)) return !outlives(42);
          return document === "medical_lapl" || hasReached(50, birth, done) || !outlives(51);
        },
      ),
    );
  });
});
