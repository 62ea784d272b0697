import { expect, test } from "bun:test";
import { expectStatus } from "../../support/school.ts";
import { enroll, newTrainingSchool } from "../training/school.ts";
import { booked, lesson, refused, solo } from "./booking.ts";

test("a session names a lesson: students must be enrolled, and have done what it requires", async () => {
  const school = await newTrainingSchool();
  const { owner, revision } = school;
  expectStatus(200, await owner.patch("/planning/settings", { lesson_prerequisites: "block" }));
  const circuits = { lesson_id: revision.lesson("1").id };
  const alone = { lesson_id: revision.lesson("2").id };
  expect(await refused(owner, { ...lesson(school, "2098-07-01T10:00Z"), ...circuits })).toEqual([
    "lesson_prerequisites",
  ]);
  await enroll(school);
  const session = await booked(owner, { ...lesson(school, "2026-06-14T10:00Z"), ...circuits });
  const { body } = expectStatus(
    409,
    await owner.post("/planning/sessions", { ...solo(school, "2098-07-01T12:00Z"), ...alone }),
  );
  expect(body.conflicts[0].message).toBe("Sam Student has not done what the lesson requires: 1.");
  expectStatus(200, await owner.patch("/planning/settings", { lesson_prerequisites: "warn" }));
  await booked(owner, { ...solo(school, "2098-07-01T12:00Z"), ...alone });
  const { flight_id } = expectStatus(200, await owner.post(`/planning/sessions/${session.id}/check-in`)).body.data;
  expect((await owner.get(`/flights/${flight_id}`)).body.data.lesson_id).toBe(circuits.lesson_id);
});
