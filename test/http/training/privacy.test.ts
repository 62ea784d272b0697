/** What training keeps about a person: the export, the erasure and when it is refused. */
import { expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { snapshot } from "../../support/databases.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, password } from "../../support/school.ts";
import { enroll, newTrainingSchool, small } from "./school.ts";

test("a student is erased 3 years after the training ended, with all texts about them, and the figures stay", async () => {
  const installation = await newInstallation();
  const school = await newTrainingSchool(small, installation);
  const { owner, instructor, revision, orgId } = school;
  const name = "Zdzisława Quux-Łąka";
  const person = expectStatus(201, await owner.post("/people", { name, types: ["student"] })).body.data.id;
  const id = await enroll(
    { ...school, student: { personId: person } as typeof school.student },
    {
      credits: [{ measure: "dual_minutes", amount: 60, reason: `Of ${name}, ERASE-CREDIT` }],
      remarks: "ERASE-REMARKS",
    },
  );
  const path = `/training/enrollments/${id}`;
  const lesson = revision.lesson("3");
  const session = { lesson_id: lesson.id, held_on: "2026-06-10", minutes: 45, remarks: "ERASE-SESSION" };
  expectStatus(201, await instructor.post(`${path}/ground-sessions`, session));
  const signoff = { enrollment_id: id, item_id: lesson.items[0].id, grade: "ok", remarks: "ERASE-SIGNOFF" };
  const { id: signed } = expectStatus(201, await instructor.post("/training/signoffs", signoff)).body.data;
  const texts = { remarks: "ERASE-LESSON", instructor_notes: "ERASE-NOTES" };
  const written = { enrollment_id: id, lesson_id: lesson.id, ...texts };
  expectStatus(201, await instructor.post("/training/lesson-records", written));
  const ofOther = await enroll(school, { remarks: `Trains with ${name}.` });

  const asked = new Request(`http://localhost/orgs/${orgId}/people/${person}/export`, {
    headers: { authorization: `Bearer ${owner.token}` },
  });
  const zip = await (await installation.app.fetch(asked)).arrayBuffer();
  const exported = JSON.parse(Buffer.from(unzipSync(new Uint8Array(zip))["person.json"] ?? []).toString());
  expect(exported.enrollments[0]).toMatchObject({ id, remarks: "ERASE-REMARKS" });
  expect(exported.signoffs[0]).toMatchObject({ id: signed, remarks: "ERASE-SIGNOFF" });
  expect(exported.ground_sessions).toHaveLength(1);
  expect(exported.lesson_records).toMatchObject([texts]);

  const erase = async (by: string) => installation.call("POST", `/orgs/${orgId}/people/${person}/erase`, { token: by });
  const refused = (await erase(owner.token)).body.error;
  expect(refused).toMatchObject({ reason: "records_kept", message: expect.stringContaining("has not ended") });
  expectStatus(200, await owner.post(`${path}/withdraw`, { reason: "ERASE-REASON" }));
  expect((await erase(owner.token)).body.error.message).toContain("until 2029-06-14");
  installation.clock.set("2029-06-15T12:00:00.000Z");
  const signIn = { email: owner.email, password };
  const { access_token } = (await installation.call("POST", "/auth/login", { body: signIn })).body;
  expectStatus(200, await erase(access_token));
  // The audit row about another person, in whose text the name was, keeps it.
  const rows = [...(await snapshot(installation.storage)).values()].flat().filter((row) => !row.includes(ofOther));
  for (const trace of ["ERASE-", name]) expect(rows.filter((row) => row.includes(trace))).toEqual([]);
  const get = (path: string) => installation.call("GET", `/orgs/${orgId}${path}`, { token: access_token });
  expect((await get(`/training/signoffs/${signed}`)).body.data).toMatchObject({
    grade: "ok",
    student: { name: "Erased person" },
  });
  expect((await get(path)).body.data.credits).toEqual([{ measure: "dual_minutes", amount: 60, reason: "-" }]);
  expect((await get(`/training/enrollments/${ofOther}`)).body.data.remarks).toBe("Trains with Erased person.");
});

test("an instructor's data is kept for 3 years after they last trained somebody", async () => {
  const school = await newTrainingSchool();
  const { owner, revision } = school;
  const id = await enroll(school, { started_on: "2025-03-01" });
  const added = await owner.post("/people", { name: "Gone Instructor", types: ["instructor"] });
  const instructor_id = expectStatus(201, added).body.data.id;
  const session = { lesson_id: revision.lesson("3").id, held_on: "2025-03-10", minutes: 45, instructor_id };
  expectStatus(201, await owner.post(`/training/enrollments/${id}/ground-sessions`, session));
  const refused = (await owner.post(`/people/${instructor_id}/erase`)).body.error;
  expect(refused).toMatchObject({ reason: "records_kept", message: expect.stringContaining("until 2028-03-10") });
  const signoff = { enrollment_id: id, item_id: revision.lesson("3").items[0].id, grade: "ok", instructor_id };
  expectStatus(201, await owner.post("/training/signoffs", signoff));
  expect((await owner.post(`/people/${instructor_id}/erase`)).body.error.message).toContain("until 2029-06-14");
});
