/** What the holder of an LAPL(A) may fly, and when they may carry passengers (FCL.105.A). */
import { describe, expect, test } from "bun:test";
import { flown, held, rules, told } from "./facts.ts";

const medical = held("medical lapl", "2025-01-10", "2027-01-09");
const lapl = held("licence lapl", "2025-06-01");
const elp = held("elp 4", "2024-01-01", "2028-01-01");
/** Recent enough for the licence: twelve hours, one of them with an instructor, and landings in class. */
const recent = [
  ...Array.from({ length: 11 }, (_, at) => flown(`2026-05-${10 + at}`)),
  flown("2026-06-20", { function: "dual", landings: 3 }),
];
const pilot = { records: [medical, lapl, elp], flown: recent };
const of = (passengers: number, person: object = {}, aircraft: object = {}) =>
  rules({ person: { ...pilot, ...person }, aircraft, use: { passengers } });

describe("the limits of the LAPL", () => {
  test("are three passengers, 2,000 kg, and aeroplanes SEP and TMG", () => {
    expect(of(3)).toEqual([]);
    expect(of(4)).toEqual(["lapl_limits"]);
    expect(of(0, {}, { mtom_kg: 2000 })).toEqual([]);
    expect(of(0, {}, { mtom_kg: 2001 })).toEqual(["lapl_limits"]);
    expect(of(0, {}, { mtom_kg: null })).toEqual([]);
    expect(of(0, {}, { class: "TMG" })).toEqual([]);
    expect(of(0, {}, { class: "SET" })).toEqual(["lapl_limits"]);
    expect(
      of(4, { records: [medical, held("licence ppl", "2025-06-01"), held("sep", "2025-06-01", "2027-06-30"), elp] }),
    ).not.toContain("lapl_limits");
    expect(told({ person: pilot, aircraft: { mtom_kg: 2300 } })).toEqual([
      "warn lapl_limits: The LAPL(A) is for a take-off mass of at most 2000 kg.",
    ]);
  });
});

describe("passengers of the holder of an LAPL", () => {
  test("wait for ten hours as PIC since the issue of the licence", () => {
    const hours = (count: number) => ({ flown: recent.filter((_, at) => at < count || at === recent.length - 1) });
    expect(of(1, hours(10))).not.toContain("lapl_passengers");
    expect(of(1, hours(9))).toContain("lapl_passengers");
    expect(of(0, hours(9))).not.toContain("lapl_passengers");
    // What was flown before the issue does not count, nor with an instructor.
    expect(of(1, { records: [medical, held("licence lapl", "2026-05-11"), elp] })).not.toContain("lapl_passengers");
    expect(of(1, { records: [medical, held("licence lapl", "2026-05-12"), elp] })).toContain("lapl_passengers");
    // An earlier flight of the day itself does.
    const today = { flown: [...hours(9).flown, flown("2026-07-01")] };
    expect(of(1, today)).not.toContain("lapl_passengers");
    const [finding] = told({ person: { ...pilot, ...hours(9) }, use: { passengers: 1 } });
    expect(finding).toBe(
      "warn lapl_passengers: The holder of an LAPL(A) carries passengers after 10 hours as PIC since its issue: 60 minutes are missing.",
    );
  });

  test("fly with who held a higher licence before", () => {
    const before = held("licence ppl", "2015-06-01", "2020-05-31");
    expect(of(1, { records: [medical, lapl, elp, before], flown: [] })).not.toContain("lapl_passengers");
  });
});
