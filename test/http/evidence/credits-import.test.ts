/** A student trained at school A takes a pack to school B, which verifies it and credits the training. */
import { expect, test } from "bun:test";
import { newInstallation, type SharedInstallation } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";
import { doneOf, enroll, everyMinimum, fly, newTrainingSchool, progressOf, small } from "../training/school.ts";
import { contentOf, issue, ofPilot, sendPack as send } from "./packing.ts";

const syllabus = { ...small, minima: everyMinimum };

const reasonOf = ({ body }: Awaited<ReturnType<typeof send>>) => body.error.reason;

/** School A with a student who has flown, and what they take along. */
async function trained(installation?: SharedInstallation) {
  const school = await newTrainingSchool(syllabus, installation);
  const { owner, instructor, student, revision } = school;
  expectStatus(
    200,
    await owner.patch(`/people/${student.personId}`, { date_of_birth: "2004-02-29", licence_number: "DE.FCL.4711" }),
  );
  const fi = { person_id: instructor.personId, type: "fi", issued_on: "2026-01-10", valid_until: "2029-01-31" };
  expectStatus(201, await owner.post("/compliance/records", fi));
  const enrollmentId = await enroll(school);
  await fly(school, { lesson: "1", minutes: 70, ago: 9, body: { day_landings: 4 } });
  await fly(school, { lesson: "1", minutes: 50, ago: 8 });
  const items = revision.lesson("1").items.map(({ id }: { id: string }) => id);
  for (const item_id of items)
    expectStatus(
      201,
      await instructor.post("/training/signoffs", { enrollment_id: enrollmentId, item_id, grade: "ok" }),
    );
  const away = { cross_country_km: 280, full_stops_elsewhere: 2, day_landings: 3, departure: "EDFE", arrival: "EDFE" };
  await fly(school, { lesson: "2", minutes: 180, ago: 7, function: "solo", body: away });
  const take = async () => {
    const pack = await issue(student, ofPilot(student.personId));
    const [{ thumbprint }] = expectStatus(200, await student.get("/signing-keys")).body.data;
    return { pack, thumbprint, zip: await contentOf(school, student, pack.id) };
  };
  return { school, enrollmentId, take };
}

/** School B, where the same person begins. */
async function newcomer(installation?: SharedInstallation) {
  const school = await newTrainingSchool(syllabus, installation);
  // Married since then: the date of birth and the licence tell who it is.
  const known = { date_of_birth: "2004-02-29", licence_number: "DE FCL 4711" };
  const person = { name: "Samuel Meyer", types: ["student"], ...known };
  const { id } = expectStatus(201, await school.owner.post("/people", person)).body.data;
  return { school, enrollmentId: await enroll(school, { student_id: id }), personId: id };
}

test("school B credits what school A's pack proves, once, and a newer pack replaces the credits", async () => {
  // Two installations: B knows nothing of A but the key.
  const a = await trained(await newInstallation());
  const b = await newcomer(await newInstallation());
  const { owner } = b.school;
  const done = async () => doneOf(await progressOf(b.school, b.enrollmentId));
  const { pack, thumbprint, zip } = await a.take();

  const credited = expectStatus(200, await send(owner, b.enrollmentId, `key=${thumbprint}`, zip)).body.data;

  const source = {
    ...{ issuer_id: a.school.orgId, enrollment_id: a.enrollmentId, pack_id: pack.id, issued_at: pack.issued_at },
    ...{ key_thumbprint: thumbprint, sha256: pack.sha256 },
  };
  expect(credited.credits).toContainEqual({
    measure: "dual_minutes",
    amount: 120,
    reason: expect.stringMatching(new RegExp(`^Trained at School \\d+: evidence pack ${pack.id} of 2026-06-14\\.$`)),
    source,
  });
  const atA = doneOf(await progressOf(a.school, a.enrollmentId));
  const here = await done();
  expect(here).toMatchObject({
    age: 22,
    total_minutes: 300,
    solo_minutes: 180,
    dual_minutes: 120,
    long_cross_country: 1,
  });
  expect(here).toEqual(atA);

  expectStatus(200, await send(owner, b.enrollmentId, `key=${thumbprint}`, zip));
  expect((await done()).total_minutes).toBe(300);
  const own = { measure: "dual_minutes", amount: 60, reason: "An hour in a glider." };
  const { credits } = (await owner.get(`/training/enrollments/${b.enrollmentId}`)).body.data;
  expectStatus(200, await owner.patch(`/training/enrollments/${b.enrollmentId}`, { credits: [own, ...credits] }));
  await fly(a.school, { lesson: "1", minutes: 60, ago: 1 });
  const newer = await a.take();
  expectStatus(200, await send(owner, b.enrollmentId, `key=${thumbprint}`, newer.zip));
  expect(await done()).toMatchObject({ total_minutes: 360, dual_minutes: 240 });
  const log = expectStatus(200, await owner.get(`/audit-log?subject_id=${b.enrollmentId}&limit=1`)).body.data;
  expect(log).toMatchObject([{ action: "enrollment.credits_imported" }]);
});

test("a pack that is changed, of another key, person or organization, or without the training, is refused", async () => {
  const a = await trained();
  const b = await newcomer();
  const { owner, instructor, student } = b.school;
  const { thumbprint, zip } = await a.take();
  const key = `key=${thumbprint}`;
  // He has the same name.
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { date_of_birth: "2001-01-01" }));
  const before = (await owner.get(`/training/enrollments/${b.enrollmentId}`)).text;

  const changed = Buffer.from(zip);
  const at = changed.lastIndexOf('"dual_minutes":120') + 16;
  changed[at] = "9".charCodeAt(0);
  const refused = expectStatus(409, await send(owner, b.enrollmentId, key, changed));
  expect([reasonOf(refused), refused.body.error.message]).toEqual([
    "pack_not_valid",
    "The evidence pack is not valid. training.json was changed.",
  ]);
  expect(reasonOf(await send(owner, b.enrollmentId, `key=${"A".repeat(43)}`, zip))).toBe("pack_not_valid");
  expect(reasonOf(await send(owner, b.enrollmentId, key, zip.subarray(0, -1)))).toBe("pack_not_valid");
  expect(reasonOf(await send(a.school.owner, a.enrollmentId, key, zip))).toBe("pack_not_valid");
  expect(reasonOf(await send(owner, await enroll(b.school), key, zip))).toBe("other_subject");
  const nobody = "01890a5d-ac96-774b-bcce-b302099a8057";
  const other = expectStatus(409, await send(owner, b.enrollmentId, `${key}&source_enrollment_id=${nobody}`, zip)).body
    .error;
  expect(other).toMatchObject({ reason: "training_not_in_pack", message: expect.stringContaining(a.enrollmentId) });
  for (const by of [instructor, student]) expectStatus(403, await send(by, b.enrollmentId, key, zip));
  expectStatus(404, await send(owner, nobody, key, zip));
  expectStatus(400, await send(owner, b.enrollmentId, "key=short", zip));
  expect((await owner.get(`/training/enrollments/${b.enrollmentId}`)).text).toBe(before);

  const ended = { reason: "Moved away." };
  expectStatus(200, await owner.post(`/training/enrollments/${b.enrollmentId}/withdraw`, ended));
  expect(reasonOf(await send(owner, b.enrollmentId, key, zip))).toBe("wrong_status");
  expectStatus(200, await send(owner, await newcomerAgain(b), `${key}&source_enrollment_id=${a.enrollmentId}`, zip));
});

const newcomerAgain = ({ school, personId }: Awaited<ReturnType<typeof newcomer>>) =>
  enroll(school, { student_id: personId });
