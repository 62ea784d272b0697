/** A whole training for the PPL(A), from the enrollment to the licence's minima. */
import { expect, test } from "bun:test";
import { expectStatus, newOwnSchool } from "../../support/school.ts";
import { enroll, fly, progressOf, publishDraft } from "./school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

test("a PPL(A) is played to its end: progress says what is missing at each step, and is complete only at the last", async () => {
  const school = await newOwnSchool();
  const { owner, instructor, student } = school;
  const draft = expectStatus(201, await owner.post("/training/templates/ppl-a/apply")).body.data;
  const all = { ...school, revision: await publishDraft(school, draft) };
  const record = async (person_id: string, type: string, more: object) =>
    expectStatus(201, await owner.post("/compliance/records", { person_id, type, ...more }));
  await record(instructor.personId, "fi", { issued_on: "2025-01-15", valid_until: "2028-01-31" });
  await record(student.personId, "medical", { level: "class_2", issued_on: "2026-01-10", valid_until: "2031-01-10" });
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { date_of_birth: "2009-06-14" }));
  const id = await enroll(all);

  const key = await school.apiKey("public.training:read");
  /** What is missing, in the public API as for the school. */
  const missing = async (): Promise<Record<string, number>> => {
    const own = await progressOf(school, id);
    const [shown] = expectStatus(200, await school.publicGet("/training-progress", key)).body.data;
    expect(own).toMatchObject(shown);
    expect(shown.complete).toBe(shown.missing.length === 0);
    const minutes = Object.fromEntries(shown.minima.map(({ name, missing }: Body) => [name, missing]));
    return Object.fromEntries(shown.missing.map((name: string) => [name, minutes[name] ?? 0]));
  };
  let ago = 100;
  const flown = (lesson: string, minutes: number, more: object = {}) =>
    fly(all, { lesson, minutes, ago: --ago, ...more });
  const sign = async (codes: readonly string[]) => {
    for (const code of codes)
      for (const { id: item_id } of all.revision.lesson(code).items) {
        const signoff = { enrollment_id: id, item_id, grade: "3" };
        expectStatus(201, await instructor.post("/training/signoffs", signoff));
      }
  };
  const codes: string[] = all.revision.lessons.map(({ code }: Body) => code);
  const before = (code: string) => codes.slice(0, codes.indexOf(code));

  expect(await missing()).toEqual({
    ...{ total_minutes: 2700, dual_minutes: 1500, solo_minutes: 600, solo_cross_country_minutes: 300 },
    ...{ long_cross_country: 1, items: 0, theory: 0, skill_test: 0 },
  });
  // To the first solo: 16 hours.
  for (const lesson of ["4", "6", "9", "10b", "12", "13", "13", "13"]) await flown(lesson, 120);
  expect(await missing()).toMatchObject({ total_minutes: 1740, dual_minutes: 540 });
  expect(
    (
      await instructor.post("/training/signoffs", {
        enrollment_id: id,
        item_id: all.revision.lesson("14").items[0].id,
        grade: "3",
      })
    ).body.error.reason,
  ).toBe("prerequisite_missing");
  await sign(before("14"));
  await flown("14", 60, { function: "solo" });
  await sign(["14"]);
  expect(await missing()).toMatchObject({ total_minutes: 1680, dual_minutes: 540, solo_minutes: 540 });
  // Dual: 9 hours more. Solo: 4 hours of circuits, then cross-country.
  for (const lesson of ["15", "16", "17", "18a", "18a"]) await flown(lesson, 108);
  for (const _ of [1, 2]) await flown("14", 120, { function: "solo" });
  expect(await missing()).toMatchObject({ total_minutes: 900, solo_minutes: 300, solo_cross_country_minutes: 300 });
  expect(await missing()).not.toHaveProperty("dual_minutes");
  await sign(["15", "16", "17", "18a"]);
  await flown("18S", 150, { function: "solo", body: { cross_country_km: 200, full_stops_elsewhere: 1 } });
  expect(await missing()).toMatchObject({ solo_minutes: 150, solo_cross_country_minutes: 150, long_cross_country: 1 });
  const long = { cross_country_km: 270, full_stops_elsewhere: 2, day_landings: 3 };
  await flown("18S", 149, { function: "solo", body: long });
  expect(await missing()).toMatchObject({ total_minutes: 601, solo_minutes: 1, solo_cross_country_minutes: 1 });
  expect(await missing()).not.toHaveProperty("long_cross_country");
  await flown("18S", 1, { function: "solo", body: { cross_country_km: 1 } });
  // 5 hours in a simulator count, and no more.
  const fstd = { registration: "FNPT-1", model: "ALSIM", class: "FSTD" };
  const aircraft_id = expectStatus(201, await owner.post("/aircraft", fstd)).body.data.id;
  const session = { aircraft_id, nature: "simulator", departure: null, arrival: null, day_landings: 0 };
  await flown("19", 360, { body: session });
  expect(await missing()).toEqual({ total_minutes: 300, items: 0, theory: 0, skill_test: 0 });
  await flown("19", 299);
  expect(await missing()).toMatchObject({ total_minutes: 1 });
  const last = await flown("18c", 1);
  expect(await missing()).toEqual({ items: 0, theory: 0, skill_test: 0 });
  await sign(["18b", "18c", "19", "18S"]);
  expect(await missing()).toEqual({ theory: 0, skill_test: 0 });
  // Theory, with one failure.
  const exams = `/training/enrollments/${id}/exams`;
  const sit = async (subject: string, percent: number, taken_on = "2026-06-01") =>
    expectStatus(201, await instructor.post(exams, { kind: "theory", subject, percent, taken_on }));
  const subjects: string[] = all.revision.subjects.map(({ code }: Body) => code);
  await sit("navigation", 74, "2026-05-31");
  for (const subject of subjects) {
    expect(await missing()).toHaveProperty("theory");
    await sit(subject, 75);
  }
  expect(await missing()).toEqual({ skill_test: 0 });
  expect((await progressOf(school, id)).ready_for_test).toBe(true);
  // A reversal takes it back; a corrected flight is a new one.
  expectStatus(200, await owner.post(`/flights/${last}/reverse`, { reason: "Wrong times." }));
  expect(await missing()).toEqual({ total_minutes: 1, skill_test: 0 });
  const test = { kind: "skill_test", passed: true, taken_on: "2026-06-14" };
  expect((await instructor.post(exams, test)).body.error.reason).toBe("not_ready_for_test");
  await flown("18c", 1);
  expectStatus(201, await instructor.post(exams, test));
  expect(await missing()).toEqual({});
  expectStatus(200, await owner.post(`/training/enrollments/${id}/complete`));
  expect((await school.publicGet("/training-progress", key)).body.data).toEqual([]);
}, 300_000);
