/** Training are read in the order of an index. */
import { expect, test } from "bun:test";
import type { Cursor } from "../../../src/core/cursor.ts";
import { listLessonRecords } from "../../../src/modules/training/lesson-records/lesson-records.queries.ts";
import type { LessonRecordFilter } from "../../../src/modules/training/lesson-records/lesson-records.schemas.ts";
import { factsOf } from "../../../src/modules/training/progress/facts.queries.ts";
import { listStudents } from "../../../src/modules/training/progress/progress.queries.ts";
import { areInOrderOfAnIndex, from, id, type List, newStorage, owner, page } from "../../support/list-plans.ts";
import { planOf } from "../../support/query-plans.ts";

test("the flights of a student's training are found by their enrollment, and its signoffs", async () => {
  const { tenant } = await newStorage();
  const plan = await tenant.read((reader) =>
    planOf(reader, (reader) => factsOf(reader, [id()], Temporal.PlainDate.from("2026-06-14"))),
  );
  expect(plan).toContain("SEARCH flights USING INDEX flights_enrollment (enrollment_id=? AND status=?)");
  expect(plan).toContain("SEARCH training_signoffs USING INDEX training_signoffs_enrollment (enrollment_id=?)");
  expect(plan.filter((line) => /^SCAN (flights|flight_crew|training_\w+)/.test(line))).toEqual([]);
});

test("where the students stand is listed in the order of the enrollments that have not ended", async () => {
  const { tenant } = await newStorage();
  const now = new Date("2026-06-14");
  const inTraining = /training_enrollments USING (COVERING )?INDEX training_enrollments_open/;
  const cursor: Cursor = ["student_id,program_id", id(), id()];
  await areInOrderOfAnIndex(tenant, [
    [inTraining, cursor, (reader, page) => listStudents(reader, page, { actor: owner, now })],
  ]);
});

test("records of lessons are listed in the order of an index of each filter", async () => {
  const { tenant } = await newStorage();
  const cursor: Cursor = ["-signed_at,id", from, id()];
  const by = (index: string) =>
    new RegExp(`training_lesson_records USING (COVERING )?INDEX training_lesson_records_${index}`);
  const list =
    (filter: LessonRecordFilter): List<"tenant"> =>
    (reader, at) =>
      listLessonRecords(reader, owner, { ...page, ...at, ...filter });
  await areInOrderOfAnIndex(tenant, [
    [by("signed"), cursor, list({})],
    [by("student"), cursor, list({ student_id: id() })],
    [by("enrollment"), cursor, list({ enrollment_id: id() })],
    [by("enrollment"), cursor, list({ enrollment_id: id(), student_id: id() })],
  ]);
});
