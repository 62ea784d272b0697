/** The 18 and the 24 months of FCL.025, and the four attempts. */
import { describe, expect, test } from "bun:test";
import type { LegalDate } from "../../../src/core/dates.ts";
import type { Sat } from "../../../src/modules/training/exams/exam-sets.ts";
import { theoryStanding } from "../../../src/modules/training/exams/theory.ts";

const rules = { pass_percent: 75, attempts: 4, sittings: null, months: 18, valid_months: 24, legal_basis: "FCL.025" };
const subjects = [{ code: "law" }, { code: "met" }];
const sat = (subject: string, taken_on: string, passed = true, sitting: number | null = null): Sat => ({
  ...{ subject, sitting, taken_on: taken_on as LegalDate, passed },
});
const standing = (on: string, ...exams: Sat[]) => theoryStanding(rules, subjects, exams, Temporal.PlainDate.from(on));
const passedIn = ({ subjects }: ReturnType<typeof theoryStanding>) =>
  subjects.flatMap(({ code, passed_on }) => (passed_on ? [code] : []));

describe("theoryStanding", () => {
  test("a set may be completed until 18 months after the end of the month of the first exam", () => {
    const first = sat("law", "2025-01-10");
    expect(standing("2025-02-01", first)).toMatchObject({ complete_by: "2026-07-31" });
    expect(standing("2026-07-31", first, sat("met", "2026-07-31"))).toMatchObject({ complete: true });
    const late = standing("2026-08-01", first, sat("met", "2026-08-01"));
    expect(late).toMatchObject({ complete: false, complete_by: "2028-02-29" });
    expect(passedIn(late)).toEqual(["met"]);
    // The first exam on the last day of a month.
    expect(standing("2025-08-31", sat("law", "2025-08-31"))).toMatchObject({ complete_by: "2027-02-28" });
    expect(passedIn(standing("2026-08-01", first))).toEqual([]);
  });

  test("a complete set is valid for 24 months from the day of the last pass, to the day", () => {
    const set = [sat("law", "2025-01-10"), sat("met", "2025-03-31")];
    expect(standing("2027-03-31", ...set)).toMatchObject({
      complete: true,
      valid_until: "2027-03-31",
      complete_by: null,
    });
    expect(standing("2027-04-01", ...set)).toMatchObject({ complete: false, valid_until: "2027-03-31" });
    // An exam after that begins a new set.
    expect(passedIn(standing("2027-04-02", ...set, sat("law", "2027-04-02")))).toEqual(["law"]);
    // One more exam while it is valid changes nothing.
    expect(standing("2026-01-01", ...set, sat("law", "2025-12-01", false))).toMatchObject({
      valid_until: "2027-03-31",
    });
  });

  test("four failures in a subject end the set, and the next exam begins another", () => {
    const law = sat("law", "2025-01-10");
    const failed = ["2025-02-01", "2025-03-01", "2025-04-01"].map((day) => sat("met", day, false));
    const three = standing("2025-05-01", law, ...failed);
    expect(three.subjects).toMatchObject([
      { code: "law", attempts: 1, passed_on: "2025-01-10" },
      { code: "met", attempts: 3, passed_on: null },
    ]);
    expect(standing("2025-05-01", law, ...failed, sat("met", "2025-05-01")).complete).toBe(true);
    const four = [law, ...failed, sat("met", "2025-05-01", false)];
    expect(passedIn(standing("2025-05-02", ...four))).toEqual([]);
    const again = standing("2025-06-01", ...four, sat("met", "2025-06-01"));
    expect(again).toMatchObject({ complete_by: "2026-12-31" });
    expect(passedIn(again)).toEqual(["met"]);
  });

  test("a program may limit the sittings", () => {
    const on = Temporal.PlainDate.from("2025-09-01");
    const exams = [sat("law", "2025-01-10", false, 1), sat("law", "2025-02-10", true, 2)];
    expect(passedIn(theoryStanding({ ...rules, sittings: 3 }, subjects, exams, on))).toEqual(["law"]);
    // The last sitting may go on for ten days. Then the complete set is taken again.
    const two = (on: string, ...more: Sat[]) =>
      theoryStanding({ ...rules, sittings: 2 }, subjects, [...exams, ...more], Temporal.PlainDate.from(on));
    expect(two("2025-02-19")).toMatchObject({
      subjects: [{ attempts: 2, passed_on: "2025-02-10" }, { attempts: 0 }],
      complete_by: "2026-07-31",
    });
    expect(two("2025-02-19", sat("met", "2025-02-19", true, 2)).complete).toBe(true);
    expect(two("2025-02-20")).toMatchObject({ subjects: [{ attempts: 0 }, { attempts: 0 }], complete_by: null });
    expect(passedIn(two("2025-02-20", sat("met", "2025-02-20", true, 2)))).toEqual(["met"]);
    // A failure in the last sitting ends it at once: there is one attempt at each subject in a sitting.
    expect(passedIn(two("2025-02-11", sat("met", "2025-02-11", false, 2)))).toEqual([]);
    // A new set may count its sittings from 1 again.
    for (const number of [1, 3])
      expect(passedIn(two("2025-02-12", sat("met", "2025-02-12", true, number)))).toEqual(["met"]);
    const third = [...exams, sat("met", "2025-03-10", true, 3)];
    expect(passedIn(theoryStanding({ ...rules, sittings: 2 }, subjects, third, on))).toEqual(["met"]);
    // Without numbers, each day is a sitting.
    const unnumbered = third.map((exam) => ({ ...exam, sitting: null }));
    expect(passedIn(theoryStanding({ ...rules, sittings: 2 }, subjects, unnumbered, on))).toEqual(["met"]);
    const both = [...exams, sat("met", "2025-02-10", true, 2)];
    expect(theoryStanding({ ...rules, sittings: 2 }, subjects, both, on).complete).toBe(true);
  });

  test("what is passed in the sitting in which the set has ended does not count, in whatever order it was recorded", () => {
    const failed = ["2025-02-01", "2025-03-01", "2025-04-01"].map((day, at) => sat("met", day, false, at + 1));
    const [last, law] = [sat("met", "2025-05-05", false, 4), sat("law", "2025-05-05", true, 4)];
    for (const exams of [
      [...failed, last, law],
      [...failed, law, last],
    ]) {
      expect(passedIn(standing("2025-05-05", ...exams))).toEqual([]);
      expect(passedIn(standing("2025-05-14", ...exams, sat("law", "2025-05-14", true, 4)))).toEqual([]);
      // Ten days after its first exam, it is another sitting.
      expect(passedIn(standing("2025-05-15", ...exams, sat("law", "2025-05-15", true, 4)))).toEqual(["law"]);
      expect(passedIn(standing("2025-05-06", ...exams, sat("law", "2025-05-06", true, 5)))).toEqual(["law"]);
    }
  });

  test("exams after the day, and of other subjects, do not count", () => {
    expect(passedIn(standing("2025-01-09", sat("law", "2025-01-10")))).toEqual([]);
    expect(standing("2025-01-09", sat("nav", "2025-01-01"))).toMatchObject({ complete_by: null });
  });
});
