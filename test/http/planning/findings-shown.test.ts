/** What is missing about a person is not for everybody who plans. */
import { expect, test } from "bun:test";
import type { Answer } from "../../support/installation.ts";
import { expectStatus, type Member, newSchool } from "../../support/school.ts";
import { newTrainingSchool } from "../training/school.ts";
import { booked, lesson } from "./booking.ts";

interface Said {
  rule: string;
  action: string;
  message: string;
  resource: { type: string; id: string } | null;
}

const others = ["mechanic", "accountant"] as const;

/** A lesson whose instructor lacks all records, whose student is not enrolled and has not paid; both are away. */
async function unready() {
  const school = await newTrainingSchool();
  const { owner, student, instructor, revision } = school;
  expectStatus(200, await owner.patch("/planning/settings", { lesson_prerequisites: "warn" }));
  expectStatus(200, await owner.patch("/finance/settings", { balance_limit_minor: 100 }));
  expectStatus(200, await owner.patch("/clearance/rules/balance_below_limit", { action: "warn" }));
  const lesson_id = revision.lesson("1").id;
  const { id } = await booked(owner, { ...lesson(school, "2098-07-01T10:00Z"), lesson_id });
  for (const person_id of [student.personId, instructor.personId])
    expectStatus(201, await owner.post("/planning/absences", { ...away, person_id }));
  expectStatus(201, await owner.post("/planning/absences", { ...away, person_id: null, reason: "Renovation" }));
  return { school, session: `/planning/sessions/${id}` };
}
const away = { from_on: "2098-07-01", until_on: "2098-07-03", reason: "Surgery" };

const about = (said: Said[], { personId }: Member) => said.filter(({ resource }) => resource?.id === personId);
const rulesOf = (said: Said[]) => said.map(({ rule }) => rule);

const secret = /medical|licence|rating|enrolled|account|is away|Surgery/i;

/** What those see who may not see more, of one person. */
const little = ["availability", "person"];

test("checks of a session tell mechanics and accountants once for each person that they are not clear, and when they are away nobody", async () => {
  const { school, session } = await unready();
  const checks = async (by: Member) => expectStatus(200, await by.get(`${session}/checks`));
  const seen = async (by: Member, member: Member): Promise<string[]> =>
    rulesOf(about((await checks(by)).body.data, member));
  const { owner, instructor, student } = school;
  for (const role of ["owner", "admin", "instructor"] as const) {
    const by = role === "owner" ? owner : await school.join([role]);
    expect(await seen(by, student)).toEqual(["availability", "lesson_prerequisites", "balance_below_limit"]);
    expect(await seen(by, instructor)).toEqual(expect.arrayContaining(["medical_missing", "licence"]));
    expect((await checks(by)).text).toContain("is away from 2098-07-01 to 2098-07-03");
  }
  for (const role of others) {
    const by = await school.join([role]);
    const answer = await checks(by);
    for (const person of [student, instructor]) {
      const said = about(answer.body.data, person);
      expect(rulesOf(said)).toEqual(little);
      expect(said.map(({ message }) => message)).toEqual([
        expect.stringContaining("is not available all the time."),
        "The person is not clear to fly.",
      ]);
    }
    expect(answer.text).not.toMatch(secret);
    // The aircraft and the school hide nothing.
    expect(answer.text).toContain("The school is closed from 2098-07-01 to 2098-07-03.");
    expect(rulesOf(answer.body.data)).toContain("aircraft_record");
  }
  const own = await checks(student);
  expect(await seen(student, student)).toEqual(["availability", "lesson_prerequisites", "balance_below_limit"]);
  expect(about(own.body.data, instructor)).toEqual([]);
  expect(own.text).toContain("Another person who takes part is not ready, or not available.");
});

test("someone who is a mechanic and takes part sees what is missing about themself, and of others that something is", async () => {
  const school = await newSchool();
  const both = await school.join(["mechanic", "student"], "Mia Both");
  const found = async (instructor: boolean) => {
    const { instructor_id, ...solo } = lesson(school, instructor ? "2098-07-01T10:00Z" : "2098-07-02T10:00Z");
    const body = { ...solo, student_ids: [both.personId], ...(instructor ? { instructor_id } : { kind: "flight" }) };
    const { id } = await booked(school.owner, body);
    return expectStatus(200, await both.get(`/planning/sessions/${id}/checks`)).body.data;
  };
  expect(rulesOf(about(await found(false), both))).toContain("solo_medical");
  expect(rulesOf(about(await found(true), school.instructor))).toEqual(["person"]);
});

test("a refused booking, series, change or move tells no more than the checks", async () => {
  const { school, session } = await unready();
  const { owner, student, instructor } = school;
  const rule = async (key: string) =>
    expectStatus(200, await owner.patch(`/clearance/rules/${key}`, { action: "block" }));
  await rule("balance_below_limit");
  await rule("medical_missing");
  await rule("licence");
  const mechanic = await school.join(["mechanic"]);
  const next = lesson(school, "2098-07-02T10:00Z");
  const { start_at, end_at, ...content } = next;
  const days = { from_on: "2098-07-02", count: 2, weekdays: [3, 4], from_time: "10:00", minutes: 60 };
  const refusals = async (by: Member): Promise<Answer[]> => [
    await by.post("/planning/sessions", next),
    await by.post("/planning/series", { ...content, ...days }),
    await by.patch(session, { start_at, end_at }),
    await by.post(`${session}/reschedule`, { start_at }),
  ];
  for (const answer of await refusals(mechanic)) {
    const { conflicts } = expectStatus(409, answer).body;
    expect(answer.text).not.toMatch(secret);
    for (const person of [student, instructor]) expect([...new Set(rulesOf(about(conflicts, person)))]).toEqual(little);
  }
  for (const answer of await refusals(owner))
    expect(expectStatus(409, answer).text).toContain("is away from 2098-07-01");
});

test("an absence has its reason for those who may see medicals, for the person, and if it is the school's", async () => {
  const { school } = await unready();
  const { owner, instructor, student } = school;
  const mechanic = await school.join(["mechanic"]);
  const own = { ...away, person_id: mechanic.personId, reason: "Own" };
  expectStatus(201, await mechanic.post("/planning/absences", own));
  const reasons = async (by: Member) => {
    const { data } = expectStatus(200, await by.get("/planning/absences")).body;
    for (const one of data)
      expect(expectStatus(200, await by.get(`/planning/absences/${one.id}`)).body.data).toEqual(one);
    return data.map(({ reason }: { reason: string | null }) => reason ?? "-").sort();
  };
  const all = ["Own", "Renovation", "Surgery", "Surgery"];
  for (const by of [owner, instructor, await school.join(["admin"])]) expect(await reasons(by)).toEqual(all);
  expect(await reasons(await school.join(["accountant"]))).toEqual(["-", "-", "-", "Renovation"]);
  expect(await reasons(mechanic)).toEqual(["-", "-", "Own", "Renovation"]);
  expectStatus(403, await student.get("/planning/absences"));
  const absencesOf = async (by: Member, { personId }: Member) =>
    expectStatus(200, await by.get(`/planning/absences?person_id=${personId}`)).body.data;
  const [theirs] = await absencesOf(mechanic, student);
  expect(theirs).toMatchObject({ person_id: student.personId, reason: null });
  const removed = await mechanic.delete(`/planning/absences/${theirs.id}`);
  expect(expectStatus(200, removed).body.data).toEqual(theirs);
  expectStatus(404, await mechanic.get(`/planning/absences/${theirs.id}`));
  const [mine] = await absencesOf(mechanic, mechanic);
  expect(expectStatus(200, await mechanic.delete(`/planning/absences/${mine.id}`)).body.data.reason).toBe("Own");
  const [last] = await absencesOf(owner, instructor);
  expect(expectStatus(200, await owner.delete(`/planning/absences/${last.id}`)).body.data.reason).toBe("Surgery");
});
