/** What is missing for a revalidation, until when, and when somebody is told. The figures are in the rules. */
import { describe, expect, test } from "bun:test";
import type { LegalDate } from "../../../src/core/dates.ts";
import type { HeldRecord } from "../../../src/modules/compliance/records/records.shapes.ts";
import { type Pilot, revalidationsOf, tellOn } from "../../../src/modules/revalidation/assess.ts";
import { flown, held } from "../clearance/facts.ts";
import { day } from "../compliance/days.ts";

const ppl = held("licence ppl", "2020-05-01");
const sep = held("sep", "2024-08-20", "2026-08-31");

function on(date: string, records: readonly HeldRecord[], flights: Pilot["flown"] = []) {
  return revalidationsOf({ records, flown: flights }, day(date));
}

const told = (items: ReturnType<typeof on>) =>
  items.map(({ kind, state, missing, how_many, obligatory }) => ({
    is: `${kind} ${state}`,
    missing: Object.fromEntries(missing.map(({ what, amount }) => [what, amount])),
    ...(how_many < missing.length && { how_many, obligatory }),
  }));

/** Twelve hours: as PIC, and one with an instructor. */
const enough = [
  ...Array.from({ length: 11 }, (_, at) => flown(`2025-10-${10 + at}`)),
  flown("2026-03-01", { function: "dual" }),
];

describe("SEP and TMG by experience (FCL.740.A)", () => {
  test("the flights of the last twelve months before the expiry count, from its first day on", () => {
    const missing = { flight_minutes: 720, pic_minutes: 360, landings: 12, refresher_minutes: 60 };
    expect(told(on("2025-08-30", [ppl, sep]))).toEqual([{ is: "sep not_open", missing }]);
    expect(told(on("2025-08-31", [ppl, sep]))).toEqual([{ is: "sep missing", missing }]);
    const early = flown("2025-08-30", { minutes: 300, landings: 9 });
    const first = flown("2025-08-31", { minutes: 300, landings: 9 });
    expect(told(on("2026-06-14", [ppl, sep], [early, first]))).toEqual([
      { is: "sep missing", missing: { flight_minutes: 420, pic_minutes: 60, landings: 3, refresher_minutes: 60 } },
    ]);
    expect(told(on("2026-06-14", [ppl, sep], enough))).toEqual([{ is: "sep met", missing: {} }]);
    expect(on("2026-06-14", [ppl, sep])[0]).toMatchObject({
      ...{ until: "2026-08-31", counts_from: "2025-08-31", record_id: sep.id, source: { article: "FCL.740.A (b)" } },
    });
    // A lapsed rating is renewed by a check.
    expect(on("2026-09-01", [ppl, sep])).toEqual([]);
  });

  test("who holds both ratings flies for both in either class, and others in their own", () => {
    const tmg = held("tmg", "2024-08-20", "2026-08-31");
    const mixed = enough.map((flight, at) => ({ ...flight, class: at % 2 === 0 ? "TMG" : "SEP" }) as const);
    expect(told(on("2026-06-14", [ppl, sep, tmg], mixed)).map(({ is }) => is)).toEqual(["sep met", "tmg met"]);
    expect(told(on("2026-06-14", [ppl, sep], mixed)).map(({ is }) => is)).toEqual(["sep missing"]);
    expect(told(on("2026-06-14", [ppl, tmg], enough))[0]).toMatchObject({ missing: { flight_minutes: 720 } });
  });

  test("a check in another class, or an assessment, replaces the refresher training", () => {
    const alone = enough.map((flight) => ({ ...flight, function: "pic" }) as const);
    const withRecord = (record: HeldRecord) => told(on("2026-06-14", [ppl, sep, record], alone))[0]?.missing;
    expect(told(on("2026-06-14", [ppl, sep], alone))[0]?.missing).toEqual({ refresher_minutes: 60 });
    expect(withRecord({ ...held("mep", "2026-01-10", "2027-01-31"), method: "check" })).toEqual({});
    expect(withRecord({ ...held("mep", "2025-01-10", "2026-12-31"), method: "check" })).toEqual({
      refresher_minutes: 60,
    });
    expect(withRecord({ ...held("tmg", "2026-01-10", "2028-01-31"), method: "check" })).toEqual({});
    expect(withRecord({ ...held("tmg", "2026-01-10", "2028-01-31"), method: "experience" })).toEqual({
      refresher_minutes: 60,
    });
    // Nor one in the class itself.
    const own = { ...held("sep", "2025-10-10", "2026-08-31"), method: "check" as const };
    expect(told(on("2026-06-14", [ppl, own], alone))[0]?.missing).toEqual({ refresher_minutes: 60 });
    expect(withRecord(held("fi_assessment", "2026-01-10"))).toEqual({});
    // From the first day on whose flights count.
    expect(withRecord(held("fi_assessment", "2025-08-31"))).toEqual({});
    expect(withRecord(held("fi_assessment", "2025-08-30"))).toEqual({ refresher_minutes: 60 });
  });

  test("the holder of an LAPL needs no class rating, but recent experience", () => {
    const lapl = held("licence lapl", "2020-05-01");
    expect(told(on("2026-06-14", [lapl, sep], enough)).map(({ is }) => is)).toEqual(["lapl_a met"]);
  });
});

describe("an FI certificate (FCL.940.FI)", () => {
  const fi = held("fi", "2023-08-15", "2026-08-31");
  const earlier = held("fi", "2020-08-15", "2023-08-31");
  const taught = Array.from({ length: 50 }, (_, at) =>
    flown(`2025-${String(1 + (at % 12)).padStart(2, "0")}-15`, { function: "instructor", landings: 0 }),
  );
  const seminar = held("fi_seminar", "2025-02-01");
  const assessment = held("fi_assessment", "2026-05-01");

  test("needs two of the three, and the assessment at every second revalidation", () => {
    const all = { instruction_minutes: 3000, refresher_training: 1, assessment_of_competence: 1 };
    expect(told(on("2026-06-14", [fi]))).toEqual([{ is: "fi missing", missing: all, how_many: 2, obligatory: [] }]);
    // The first certificate rests on an assessment, so that the next may do without.
    expect(told(on("2026-06-14", [fi, seminar], taught))).toEqual([{ is: "fi met", missing: {} }]);
    // The second: nothing says that the one before was by an assessment.
    expect(told(on("2026-06-14", [earlier, fi, seminar], taught))).toEqual([
      { is: "fi missing", missing: { assessment_of_competence: 1 } },
    ]);
    expect(told(on("2026-06-14", [earlier, { ...fi, method: "check" }, seminar], taught))[0]?.is).toBe("fi met");
    expect(told(on("2026-06-14", [earlier, fi, held("fi_assessment", "2023-07-01"), seminar], taught))[0]?.is).toBe(
      "fi met",
    );
    // It was made within the twelve months before the certificate of 15 August 2023 was issued.
    const since = (date: string) => told(on("2026-06-14", [earlier, fi, held("fi_assessment", date), seminar], taught));
    expect([since("2022-08-14")[0]?.is, since("2022-08-15")[0]?.is]).toEqual(["fi missing", "fi met"]);
    expect(told(on("2026-06-14", [earlier, fi, assessment, seminar]))[0]?.is).toBe("fi met");
    expect(told(on("2026-06-14", [earlier, fi], []))).toEqual([
      { is: "fi missing", missing: all, how_many: 2, obligatory: ["assessment_of_competence"] },
    ]);
  });

  test("an assessment counts in the last twelve months, and the rest within the validity", () => {
    const missing = (record: HeldRecord) => Object.keys(told(on("2026-06-14", [fi, record]))[0]?.missing ?? {});
    expect(missing(held("fi_assessment", "2025-08-30"))).toContain("assessment_of_competence");
    expect(missing(held("fi_assessment", "2025-08-31"))).not.toContain("assessment_of_competence");
    // The first certificate is valid from its issue.
    expect(missing(held("fi_seminar", "2023-08-14"))).toContain("refresher_training");
    expect(missing(held("fi_seminar", "2023-08-15"))).not.toContain("refresher_training");
    const before = taught.map((flight) => ({ ...flight, on: day("2023-08-14") }));
    // One that was revalidated goes on from the expiry before, and one that was renewed since has its own issue.
    const from = (...records: HeldRecord[]) => on("2026-06-14", records)[0]?.counts_from ?? null;
    expect(from(fi)).toBe("2023-08-15" as LegalDate);
    expect(from(held("fi", "2020-08-20", "2023-08-31"), fi)).toBe("2023-08-31" as LegalDate);
    expect(from(held("fi", "2020-07-20", "2023-08-15"), fi)).toBe("2023-08-31" as LegalDate);
    expect(from(held("fi", "2020-07-20", "2023-08-14"), fi)).toBe("2023-08-15" as LegalDate);
    // Issued long before the usual time: the one before was not entered.
    expect(from(held("fi", "2023-07-31", "2026-08-31"))).toBe("2023-08-31" as LegalDate);
    expect(missing(held("radio", "2020-01-01"))).toContain("instruction_minutes");
    expect(told(on("2026-06-14", [fi], before))[0]?.missing).toMatchObject({ instruction_minutes: 3000 });
    const gliding = taught.map((flight) => ({ ...flight, class: "sailplane" }) as const);
    expect(told(on("2026-06-14", [fi], gliding))[0]?.missing).toMatchObject({ instruction_minutes: 3000 });
  });
});

describe("tellOn", () => {
  const days = (items: ReturnType<typeof on>): (string | null)[][] =>
    items.map((item) => [item.begin_by, tellOn(item)]);

  test("is a month before it is too late to begin, at three hours a week", () => {
    // Twelve hours take four weeks.
    expect(days(on("2026-06-14", [ppl, sep]))).toEqual([["2026-08-03", "2026-07-03"]]);
    const nearly = enough.slice(1);
    // One hour takes a week.
    expect(days(on("2026-06-14", [ppl, sep], nearly))).toEqual([["2026-08-24", "2026-07-24"]]);
    // Landings alone take no time.
    const few = enough.map((flight) => ({ ...flight, landings: 0 }));
    expect(days(on("2026-06-14", [ppl, sep], few))).toEqual([["2026-08-31", "2026-07-31"]]);
    expect(days(on("2026-06-14", [ppl, sep], enough))).toEqual([[null, null]]);
    // Fifty hours of instruction take seventeen weeks.
    const fi = held("fi", "2023-08-15", "2026-08-31");
    expect(days(on("2026-01-14", [fi]))).toEqual([["2026-05-04", "2026-04-04"]]);
  });

  test("of the LAPL it is before the flights leave the rolling time that made it", () => {
    const lapl = held("licence lapl", "2020-05-01");
    const [item] = on("2026-06-14", [lapl], enough);
    // The first flight, of 10 October 2025, counts until 10 October 2027.
    const until = { until: "2027-10-10" as LegalDate, counts_from: "2025-10-11" as LegalDate };
    expect(item).toMatchObject({ kind: "lapl_a", state: "met", ...until });
    expect(item && days([item])).toEqual([["2027-10-03", "2027-09-03"]]);
    // Who lacks it already is told by the clearance.
    expect(days(on("2026-06-14", [lapl]))).toEqual([[null, null]]);
  });
});
