/** The standing of theory exams equals that of a model, which reads FCL.025 literally and knows no `Temporal`. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { LegalDate } from "../../../src/core/dates.ts";
import type { Sat } from "../../../src/modules/training/exams/exam-sets.ts";
import { theoryStanding } from "../../../src/modules/training/exams/theory.ts";

const rules = { pass_percent: 75, attempts: 4, sittings: null, months: 18, valid_months: 24, legal_basis: "FCL.025" };
const subjects = [{ code: "law" }, { code: "met" }];

const date = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10) as LegalDate;

/** The last day of the month that is 18 months after that of a day. */
function completeBy(day: LegalDate): LegalDate {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return date(year, month + 18, 0);
}

function validUntil(day: LegalDate): LegalDate {
  const text = `${Number(day.slice(0, 4)) + 2}${day.slice(4)}`;
  return (day.endsWith("-02-29") ? text.replace(/29$/, "28") : text) as LegalDate;
}

const firstPasses = (set: Sat[]) =>
  subjects.map(({ code }) => set.find(({ subject, passed }) => subject === code && passed)?.taken_on ?? null);

function completedOn(set: Sat[]): LegalDate | undefined {
  const days = firstPasses(set).filter((day) => day !== null);
  return days.length === subjects.length ? days.sort().at(-1) : undefined;
}

/** Exams without a number are of a sitting on their day. */
const lastDay = (set: Sat[]) => set.at(-1)?.taken_on ?? "";
const hasAllSittings = (set: Sat[], most: number | null) =>
  most !== null && new Set(set.map(({ taken_on }) => taken_on)).size >= most;

/** In the last of the sittings, a subject was failed, or the day is over. */
function hasNoSittingLeft(set: Sat[], day: LegalDate, most: number | null): boolean {
  const failed = set.some(
    ({ taken_on, subject, passed }, at) =>
      taken_on === lastDay(set) && !passed && !set.slice(0, at).some((one) => one.passed && one.subject === subject),
  );
  return hasAllSittings(set, most) && (failed || day > lastDay(set));
}

function isOver(set: Sat[], day: LegalDate, most: number | null): boolean {
  const completed = completedOn(set);
  if (completed !== undefined) return day > validUntil(completed);
  const tooOften = subjects.some(({ code }) => {
    const tries = set.filter(({ subject }) => subject === code);
    return tries.length >= 4 && !tries.some(({ passed }) => passed);
  });
  const [first] = set;
  return tooOften || hasNoSittingLeft(set, day, most) || (first !== undefined && day > completeBy(first.taken_on));
}

/** The rest of the sitting in which a set has ended is not of the next one. */
const isOfSame = (set: Sat[], { taken_on }: Sat) => completedOn(set) === undefined && taken_on === lastDay(set);

function model(exams: Sat[], on: LegalDate, most: number | null) {
  let set: Sat[] = [];
  for (const exam of exams.filter(({ taken_on }) => taken_on <= on))
    set = isOver(set, exam.taken_on, most) && !isOfSame(set, exam) ? [exam] : [...set, exam];
  const completed = completedOn(set);
  if (completed === undefined && isOver(set, on, most)) set = [];
  const [first] = set;
  return {
    complete: completed !== undefined && on <= validUntil(completed),
    valid_until: completed === undefined ? null : validUntil(completed),
    complete_by: first === undefined || completed !== undefined ? null : completeBy(first.taken_on),
    subjects: firstPasses(set),
  };
}

/** Most are at the ends of months. */
const day = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.constantFrom(-1, 0, 1, 15))
  .map(([month, day]) => date(2023, month, day));

const exam = fc.record({
  subject: fc.constantFrom("law", "met"),
  sitting: fc.constant(null),
  taken_on: day,
  passed: fc.boolean(),
});

test("the standing equals the model's, after any exams, on any day", () => {
  fc.assert(
    fc.property(fc.array(exam, { maxLength: 14 }), day, fc.constantFrom(null, 1, 2, 4), (given, on, sittings) => {
      const exams = given.sort((one, other) => one.taken_on.localeCompare(other.taken_on));
      const standing = theoryStanding({ ...rules, sittings }, subjects, exams, Temporal.PlainDate.from(on));
      const { complete, valid_until, complete_by } = standing;
      const passed = standing.subjects.map(({ passed_on }) => passed_on);
      expect({ complete, valid_until, complete_by, subjects: passed }).toEqual(model(exams, on, sittings));
    }),
    { numRuns: 3000 },
  );
});
