/** Solo flights of students are authorized and supervised by a named instructor (FCL.020). */
import { expect, test } from "bun:test";
import { isId } from "../../../src/core/ids.ts";
import { flightsPersonal } from "../../../src/modules/flights/flights.personal.ts";
import { expectStatus, type Member, newSchool, type School } from "../../support/school.ts";

/** A school that uses the rule as it comes. */
async function newSupervising(): Promise<School> {
  const school = await newSchool();
  expectStatus(200, await school.owner.patch("/clearance/rules/solo_supervision", { action: "block" }));
  return school;
}

const findingsOf = ({ findings }: { findings: Record<string, string | null>[] }) =>
  findings.filter(({ rule }) => rule === "solo_supervision" || rule === "instructor_certificate");

const record = async (by: Member, body: object) => expectStatus(201, await by.post("/compliance/records", body));

test("a student's solo flight is approved with the instructor who supervised it, and not without one", async () => {
  const school = await newSupervising();
  const { owner, instructor, student } = school;
  const flight = await school.submitFlight(student);
  expect(flight).toMatchObject({ supervisor_id: null, supervisor_name: null });
  expect(findingsOf(flight)).toEqual([
    expect.objectContaining({ rule: "solo_supervision", action: "block", person_id: student.personId }),
  ]);
  const approve = () => instructor.post(`/flights/${flight.id}/approve`);
  expect(expectStatus(409, await approve()).body.error.reason).toBe("findings_not_acknowledged");
  const change = { supervisor_id: instructor.personId };
  const named = expectStatus(200, await student.patch(`/flights/${flight.id}`, change)).body.data;
  expect(named).toMatchObject({ supervisor_id: instructor.personId, supervisor_name: "Ines Instructor", revision: 2 });
  // The instructor has no certificate: the rule about it applies to who supervises, too.
  expect(findingsOf(expectStatus(200, await owner.get(`/flights/${flight.id}`)).body.data)).toEqual([
    expect.objectContaining({ rule: "instructor_certificate", person_id: instructor.personId }),
  ]);
  expect(expectStatus(200, await approve()).body.data).toMatchObject({ status: "approved", ...change });
});

test("the holder of a licence flies solo without a supervisor, from the day of the licence on", async () => {
  const school = await newSupervising();
  const { owner, student } = school;
  await record(owner, { person_id: student.personId, type: "licence", level: "lapl", issued_on: "2026-06-14" });
  const yesterday = { off_block_at: "2026-06-13T08:00:00Z", on_block_at: "2026-06-13T09:00:00Z" };
  expect(findingsOf(await school.submitFlight(student, { body: yesterday }))).toHaveLength(1);
  expect(findingsOf(await school.submitFlight(student))).toEqual([]);
});

test("only an instructor of the school who is not on board supervises, and only a solo flight", async () => {
  const school = await newSupervising();
  const { owner, instructor, student, join } = school;
  const refused = async (body: Record<string, unknown>) => {
    const { status, body: answer } = await owner.post("/flights", school.flightBody({ body }));
    return status === 400 ? [answer.issues[0].path, answer.issues[0].code] : (answer.error?.reason ?? status);
  };
  const at = "body.supervisor_id";
  expect(await refused({ supervisor_id: instructor.personId })).toBe(201);
  expect(await refused({ supervisor_id: owner.orgId })).toEqual([at, "unknown"]);
  expect(await refused({ supervisor_id: owner.personId })).toEqual([at, "unknown"]);
  expect(await refused({ supervisor_id: student.personId })).toEqual([at, "impossible"]);
  const pic = [{ person_id: owner.personId, function: "pic" }];
  expect(await refused({ supervisor_id: instructor.personId, crew: pic })).toEqual([at, "impossible"]);
  expect(await refused({ supervisor_id: instructor.personId, crew: [] })).toBe(201);

  const other = await join(["instructor"], "Leaving Instructor");
  const draft = await school.draftFlight(student, { body: { supervisor_id: other.personId } });
  expectStatus(200, await owner.patch(`/people/${other.personId}`, { status: "archived" }));
  expect(await refused({ supervisor_id: other.personId })).toBe("person_archived");
  // The flight that named them before keeps them.
  expectStatus(200, await student.patch(`/flights/${draft.id}`, { remarks: "Smooth." }));
});

test("the check-in of a solo lesson names its instructor, and the clearance takes one", async () => {
  const { owner, instructor, student, aircraftId } = await newSupervising();
  const ask = async (by: Member, more = "") => {
    const query = `aircraft_id=${aircraftId}&person_id=${student.personId}&function=solo${more}`;
    return expectStatus(200, await by.get(`/clearance?${query}`))
      .body.data.reasons.map(({ rule, action, message }: Record<string, string>) => [rule, action, message])
      .filter(([rule]: string[]) => rule === "solo_supervision" || rule === "instructor_certificate");
  };
  expect(await ask(student)).toEqual([["solo_supervision", "block", expect.any(String)]]);
  const named = `&supervisor_id=${instructor.personId}`;
  expect(await ask(owner, named)).toEqual([
    ["instructor_certificate", "warn", "Ines Instructor: Missing: Flight instructor certificate."],
  ]);
  // A student learns that there is something, not what is the matter with the instructor's documents.
  expect(await ask(student, named)).toEqual([
    ["instructor_certificate", "warn", "Ines Instructor can't supervise the flight as it is."],
  ]);
  const fi = { type: "fi", issued_on: "2025-01-15", valid_until: "2027-06-14" };
  await record(owner, { ...fi, person_id: instructor.personId });
  expect(await ask(student, named)).toEqual([]);
  const wrong = `aircraft_id=${aircraftId}&person_id=${student.personId}`;
  const issueOf = async (query: string) => expectStatus(400, await owner.get(`/clearance?${query}`)).body.issues[0];
  expect(await issueOf(`${wrong}&function=solo&supervisor_id=${owner.personId}`)).toMatchObject({ code: "unknown" });
  expect(await issueOf(`${wrong}&function=dual${named}`)).toMatchObject({ code: "only_solo" });
});

test("a booking of a student alone is refused without an instructor, and the supervisor's export has the flight", async () => {
  const school = await newSupervising();
  const { owner, instructor, student, aircraftId, installation, orgId } = school;
  const session = {
    ...{ kind: "flight", start_at: "2026-06-15T08:00:00Z", end_at: "2026-06-15T09:00:00Z" },
    ...{ aircraft_id: aircraftId, student_ids: [student.personId] },
  };
  const { conflicts } = expectStatus(409, await owner.post("/planning/sessions", session)).body;
  expect(conflicts.map(({ rule }: { rule: string }) => rule)).toContain("solo_supervision");

  const { id } = await school.submitFlight(student, { body: { supervisor_id: instructor.personId } });
  if (!isId<"organization">(orgId) || !isId<"person">(instructor.personId)) throw new Error("They are ids.");
  const tenant = installation.storage.tenants.tenant(orgId);
  const subject = { personId: instructor.personId, names: [], emails: [], userIds: [] };
  const found: unknown[] = [];
  const list = flightsPersonal.lists.flights_supervised?.(tenant, subject) ?? [];
  for await (const flight of list) found.push(flight);
  expect(found).toMatchObject([{ id, supervisor_id: instructor.personId }]);
});
