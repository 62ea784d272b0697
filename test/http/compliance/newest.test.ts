/** Of several records of a type and level the newest counts, although an older one is valid longer. */
import { expect, test } from "bun:test";
import { expectStatus, type Member, newSchool } from "../../support/school.ts";
import { enroll, newTrainingSchool, small } from "../training/school.ts";

interface Entry {
  id: string;
  status: string;
  superseded_by: string | null;
}
const records = "/compliance/records";
const add = async (by: Member, record: object): Promise<Entry> =>
  expectStatus(201, await by.post(records, record)).body.data;
const found = async (by: Member, id: string): Promise<Entry> =>
  expectStatus(200, await by.get(`${records}/${id}`)).body.data;

test("in the clearance, and where a rating is revalidated by experience", async () => {
  const { owner, student, aircraftId } = await newSchool();
  const sep = { person_id: student.personId, type: "sep" };
  await add(owner, { ...sep, issued_on: "2024-01-01", valid_until: "2028-06-30" });
  await add(owner, { ...sep, issued_on: "2024-06-01", valid_until: "2026-05-31" });
  const ratingOn = async (date: string) => {
    const question = `aircraft_id=${aircraftId}&person_id=${student.personId}&function=pic&at=${date}T10:00:00Z`;
    const { reasons } = expectStatus(200, await owner.get(`/clearance?${question}`)).body.data;
    return reasons.filter(({ rule }: { rule: string }) => rule === "rating").map(({ message }: Error) => message);
  };
  expect(await ratingOn("2024-05-31")).toEqual([]);
  expect(await ratingOn("2026-05-31")).toEqual([]);
  expect(await ratingOn("2026-06-01")).toEqual(["Expired on 2026-05-31: Class rating SEP."]);
  const flown = async (date: string) => {
    const query = `type=sep&method=experience&done_on=${date}&person_id=${student.personId}`;
    const { data } = expectStatus(200, await owner.get(`/compliance/suggested-validity?${query}`)).body;
    return data.valid_until ?? data.reason;
  };
  expect(await flown("2026-05-31")).toBe("2028-05-31");
  expect(await flown("2026-06-01")).toBe("lapsed");
});

test("in signoffs", async () => {
  const school = await newTrainingSchool({ ...small, lessons: small.lessons.map((one) => ({ ...one, requires: [] })) });
  const { owner, instructor, revision } = school;
  const sign = async () => {
    const item_id = revision.lesson("1").items[0].id;
    const body = { enrollment_id, item_id, grade: "ok" };
    const { status, body: answer } = await instructor.post("/training/signoffs", body);
    return status === 201 ? 201 : answer.error.message;
  };
  const enrollment_id = await enroll(school);
  const fi = { person_id: instructor.personId, type: "fi" };
  await add(owner, { ...fi, issued_on: "2024-01-15", valid_until: "2029-01-31" });
  await add(owner, { ...fi, issued_on: "2024-02-15", valid_until: "2026-06-13" });
  expect(await sign()).toBe("The instructor's certificate is expired on 2026-06-14.");
  await add(owner, { ...fi, issued_on: "2024-02-15", valid_until: "2026-06-14" });
  expect(await sign()).toBe(201);
});

test("and an older one that is entered later is superseded at once, also by one that does not stand any more", async () => {
  const { owner, student, instructor } = await newSchool();
  const elp = { person_id: student.personId, type: "elp", level: "4" };
  const four = await add(owner, { ...elp, issued_on: "2024-01-01", valid_until: "2028-01-01" });
  const five = { ...elp, level: "5", issued_on: "2025-01-01", valid_until: "2031-01-01", supersedes: four.id };
  await add(owner, five);
  const old = await add(owner, { ...elp, issued_on: "2023-01-01", valid_until: "2027-01-01" });
  expect(old).toMatchObject({ status: "superseded", superseded_by: four.id });
  const fi = { person_id: instructor.personId, type: "fi" };
  const revoked = await add(owner, { ...fi, issued_on: "2025-01-01", valid_until: "2028-01-31" });
  expectStatus(200, await owner.post(`${records}/${revoked.id}/withdraw`, { reason: "Revoked." }));
  const before = await add(owner, { ...fi, issued_on: "2024-12-31", valid_until: "2027-12-31" });
  expect(before).toMatchObject({ status: "superseded", superseded_by: revoked.id });
  expect(await add(owner, { ...fi, issued_on: "2025-01-01", valid_until: "2028-01-31" })).toMatchObject({
    status: "current",
  });
});

test("one whose day of issue was wrong is replaced by one of an earlier day that names it", async () => {
  const { owner, student } = await newSchool();
  const sep = { person_id: student.personId, type: "sep", valid_until: "2027-03-31" };
  const wrong = await add(owner, { ...sep, issued_on: "2026-03-14" });
  const right = await add(owner, { ...sep, issued_on: "2025-03-14", supersedes: wrong.id });
  expect(right).toMatchObject({ status: "current", superseded_by: null });
  expect(await found(owner, wrong.id)).toMatchObject({ status: "superseded", superseded_by: right.id });
});
