import { describe, expect, test } from "bun:test";
import type { LegalDate } from "../../../src/core/dates.ts";
import { type Counted, paceOf } from "../../../src/modules/training/progress/pace.ts";

const day = (text: string) => text as LegalDate;

function on(today: string, counted: Partial<Counted>) {
  const plan = { start_on: day("2026-01-01"), end_on: day("2026-12-31") };
  const all = { done: 0, total: 20, done_before: 0, booked: 0, ...counted };
  return paceOf(plan, all, { began: day("2026-01-01"), on: Temporal.PlainDate.from(today) });
}

describe("paceOf", () => {
  test("before the planned start nothing is expected, and after the planned end all of it", () => {
    expect(on("2025-12-01", {})).toMatchObject({ lessons_expected: 0, standing: "on_track" });
    expect(on("2027-02-01", { done: 5 })).toMatchObject({ lessons_expected: 20, required_per_week: null });
  });

  test("who has just begun is not behind: nobody is before a lesson is due", () => {
    expect(on("2026-01-01", {})).toMatchObject({ lessons_expected: 0, standing: "on_track" });
    expect(on("2026-01-19", {})).toMatchObject({ lessons_expected: 0, standing: "on_track" });
    expect(on("2026-01-20", {})).toMatchObject({ lessons_expected: 1, standing: "behind" });
  });

  test("what is done is not behind, and one who was done before the end is ahead", () => {
    expect(on("2026-06-01", { done: 20, done_before: 20 })).toMatchObject({
      ...{ required_per_week: 0, projected_end_on: "2026-06-01", standing: "ahead" },
    });
    expect(on("2026-12-30", { done: 20, done_before: 20 }).standing).toBe("on_track");
  });

  test("a training that is not done at its planned end is behind, whatever is booked", () => {
    expect(on("2026-12-31", { done: 19, booked: 12 }).standing).toBe("behind");
  });

  test("the projected end is in whole days of the pace, and no day later", () => {
    // One lesson in nine days: three take 27 days, and not 28 by a rounded quotient.
    expect(on("2026-01-10", { done: 1, total: 4 }).projected_end_on).toBe(day("2026-02-06"));
    for (let back = 7; back <= 56; back += 1)
      for (let done = 1; done <= 12; done += 1)
        for (let missing = 1; missing <= 12; missing += 1) {
          const today = Temporal.PlainDate.from("2026-01-01").add({ days: back });
          const { projected_end_on } = on(today.toString(), { done, total: done + missing });
          // The first day on which the pace has made up for all.
          let days = 0;
          while (days * done < missing * back) days += 1;
          expect(projected_end_on).toBe(day(today.add({ days }).toString()));
        }
  });

  test("in the first week the pace is that of a week, and later that of eight", () => {
    expect(on("2026-01-02", { done: 1 }).actual_per_week).toBe(1);
    expect(on("2026-01-15", { done: 4 }).actual_per_week).toBe(2);
    expect(on("2026-09-01", { done: 12, done_before: 4 }).actual_per_week).toBe(1);
    // A signoff that was voided since.
    expect(on("2026-09-01", { done: 3, done_before: 4 }).actual_per_week).toBe(0);
  });

  test.each([
    // At one a week they end on 10 September, at half of one on 19 November, at a quarter in April.
    ["ahead", 4],
    ["ahead", 2],
    ["behind", 1],
  ] as const)(
    "with half of the year left and ten lessons to do, it is %s with %i booked in four weeks",
    (standing, booked) => {
      expect(on("2026-07-02", { done: 10, done_before: 10, booked }).standing).toBe(standing);
    },
  );

  test("a week or a tenth of the days left off the planned end is on track", () => {
    // 182 days are left, so that 18 days are allowed: 30 lessons at 1.25 a week take 168 days, at 1 a week 210.
    const left = { done: 10, total: 40, done_before: 10 };
    expect(on("2026-07-02", { ...left, booked: 5 }).standing).toBe("on_track");
    expect(on("2026-07-02", { ...left, booked: 4 }).standing).toBe("behind");
    expect(on("2026-07-02", { ...left, booked: 6 }).standing).toBe("ahead");
  });
});
