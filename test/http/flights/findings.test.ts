/** What the clearance finds about a flight that was made: kept with the flight, and acknowledged if it blocks. */
import { describe, expect, test } from "bun:test";
import { isId } from "../../../src/core/ids.ts";
import { flightsPersonal } from "../../../src/modules/flights/flights.personal.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, type Member, newSchool, type School } from "../../support/school.ts";
import { enroll, flightOf, newTrainingSchool, publish, small } from "../training/school.ts";

const told = ({ findings }: { findings: Record<string, string | null>[] }) =>
  findings.map(({ rule, action, person_id }) => `${action} ${rule} of ${person_id ?? "the aircraft"}`);

const inDays = ({ installation }: School, days: number) =>
  new Date(installation.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);

const add = async (by: Member, record: object): Promise<{ id: string }> =>
  expectStatus(201, await by.post("/compliance/records", record)).body.data;

const medical = (school: School, person_id: string, until: number) => ({
  ...{ person_id, type: "medical", level: "lapl" },
  ...{ issued_on: inDays(school, -400), valid_until: inDays(school, until) },
});

/** The rules about documents would find much in a new school. */
async function onlyMedicals({ owner }: School): Promise<void> {
  const { data } = expectStatus(200, await owner.get("/clearance/rules")).body;
  for (const { key } of data)
    if (!/medical|grounded|maintenance/.test(key))
      expectStatus(200, await owner.patch(`/clearance/rules/${key}`, { action: "off" }));
}

const dual = ({ instructor, student }: School) => [
  { person_id: instructor.personId, function: "instructor" },
  { person_id: student.personId, function: "dual" },
];

test("a flight is submitted whatever is found; an edit finds anew, and a record that was entered since lifts a finding", async () => {
  const school = await newSchool();
  await onlyMedicals(school);
  const { owner, student } = school;
  await add(owner, medical(school, student.personId, -30));
  const flight = await school.submitFlight(student);
  const [expired] = flight.findings;
  expect(flight.findings).toEqual([
    {
      ...{ rule: "medical_expired", action: "block", person_id: student.personId, acknowledged_by: null },
      message: "Expired: Medical certificate.",
    },
  ]);
  const at = `/flights/${flight.id}`;
  expect(expectStatus(200, await student.patch(at, { remarks: "Windy." })).body.data.findings).toEqual([expired]);
  await add(owner, { ...medical(school, student.personId, 30), issued_on: inDays(school, -1) });
  expect((await owner.get(at)).body.data.findings).toEqual([expired]);
  expectStatus(200, await owner.post(`${at}/reject`, { reason: "The times are wrong." }));
  expect(expectStatus(200, await student.patch(at, { remarks: null })).body.data.findings).toEqual([]);
  expectStatus(200, await student.post(`${at}/submit`));
  const approved = expectStatus(200, await owner.post(`${at}/approve`)).body.data;
  expect(approved).toMatchObject({ status: "approved", findings: [] });
});

test("a medical that ends at midnight does not cover a flight that lands after it", async () => {
  const school = await newSchool();
  await onlyMedicals(school);
  const { owner, student } = school;
  const dates = { issued_on: "2024-03-10", valid_until: "2026-03-28" };
  await add(owner, { ...medical(school, student.personId, 0), ...dates });
  // In Berlin the 28th ends at 23:00 UTC; the clock goes forward in the night.
  const off_block_at = "2026-03-28T22:10:00Z";
  const landed = async (on_block_at: string) =>
    (await school.submitFlight(student, { body: { off_block_at, on_block_at } })).findings;
  expect(await landed("2026-03-28T23:01:00Z")).toMatchObject([
    { rule: "medical_expired", action: "block", message: "Expires before the end of the flight: Medical certificate." },
  ]);
  const day = { off_block_at: "2026-03-28T20:10:00Z", on_block_at: "2026-03-28T22:00:00Z" };
  expect((await school.submitFlight(student, { body: day })).findings).toEqual([]);
});

test("a solo flight needs the medical of the training that it counts for, and a night rating if it was at night", async () => {
  const school = await newTrainingSchool();
  const { owner, student } = school;
  await add(owner, medical(school, student.personId, 30));
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { date_of_birth: "2000-01-01" }));
  expectStatus(200, await owner.patch("/clearance/rules/aircraft_record", { action: "off" }));
  await enroll(school);
  const lapl = await publish(school, { ...small, kind: "lapl_a", name: "LAPL" });
  expectStatus(201, await owner.post("/training/enrollments", enrollmentOf(student, lapl)));
  const foundAbout = async (lesson_id: string, body: object = {}) => {
    const flight = flightOf(school, { function: "solo", body: { lesson_id, ...body } });
    const { id } = expectStatus(201, await owner.post("/flights", flight)).body.data;
    const { findings } = expectStatus(200, await owner.post(`/flights/${id}/submit`)).body.data;
    expectStatus(200, await owner.post(`/flights/${id}/reject`, { reason: "Test." }));
    return told({ findings });
  };
  const lacks = (rule: string) => [`warn ${rule} of ${student.personId}`];
  expect(await foundAbout(lapl.lesson("2").id)).toEqual([]);
  expect(await foundAbout(school.revision.lesson("2").id)).toEqual(lacks("medical_class"));
  for (const night of [{ night_minutes: 1 }, { night_landings: 1 }])
    expect(await foundAbout(lapl.lesson("2").id, night)).toEqual(lacks("night_rating"));
});

const enrollmentOf = ({ personId }: Member, { id }: { id: string }) => ({
  ...{ student_id: personId, revision_id: id, started_on: "2026-01-15" },
});

test("a finding that blocks is acknowledged by name, by members who may, and the audit log says by whom", async () => {
  const school = await newSchool();
  await onlyMedicals(school);
  const { owner, instructor, student } = school;
  await add(owner, medical(school, student.personId, -30));
  const { id } = await school.submitFlight(student);
  const approve = (by: Member, acknowledge?: string[]) =>
    by.post(`/flights/${id}/approve`, acknowledge && { acknowledge });

  for (const by of [owner, instructor])
    for (const named of [undefined, [], ["aircraft_grounded"]]) {
      const { error } = expectStatus(409, await approve(by, named)).body;
      const refused = { code: "CONFLICT", reason: "findings_not_acknowledged", rules: ["medical_expired"] };
      expect(error).toMatchObject(refused);
      expect(error.message).toContain("rules that block: medical_expired.");
    }
  expect(expectStatus(403, await approve(instructor, ["medical_expired"])).body.error.reason).toBe(
    "permission_missing",
  );
  expectStatus(400, await approve(owner, ["moon_phase"]));
  expect(await school.aircraft()).toMatchObject({ airframe_minutes: 74070 });

  const acknowledged = [{ rule: "medical_expired", action: "block", acknowledged_by: owner.userId }];
  const { data } = expectStatus(200, await approve(owner, ["medical_expired", "aircraft_grounded"])).body;
  expect(data).toMatchObject({ status: "approved", findings: acknowledged });
  expect(await school.aircraft()).toMatchObject({ airframe_minutes: 74132 });
  const { data: rows } = expectStatus(200, await owner.get("/audit-log?action=flight.approved")).body;
  expect(rows).toMatchObject([{ actor: { id: owner.userId }, after: { findings: acknowledged } }]);
});

test("a medical that was withdrawn after the flight does not block its approval", async () => {
  const school = await newSchool();
  await onlyMedicals(school);
  const { owner, instructor, student } = school;
  const { id: medicalId } = await add(owner, medical(school, student.personId, 30));
  const yesterday = (hour: number) => `${inDays(school, -1)}T${hour}:00:00.000Z`;
  const before = await school.submitFlight(student, {
    body: { off_block_at: yesterday(10), on_block_at: yesterday(11) },
  });
  const today = await school.submitFlight(student);
  expectStatus(200, await owner.post(`/compliance/records/${medicalId}/withdraw`, { reason: "Suspended." }));
  const approved = expectStatus(200, await instructor.post(`/flights/${before.id}/approve`)).body.data;
  expect(told(approved)).toEqual([]);
  const { error } = expectStatus(409, await instructor.post(`/flights/${today.id}/approve`)).body;
  expect(error.message).toContain("rules that block: medical_expired.");
});

test("a rule that the school has set to block needs an acknowledgement, one that warns does not", async () => {
  const school = await newSchool();
  await onlyMedicals(school);
  const { owner, instructor, student } = school;
  const warned = await school.submitFlight(student);
  expect(told(warned)).toEqual([`warn solo_medical of ${student.personId}`]);
  expectStatus(200, await instructor.post(`/flights/${warned.id}/approve`));
  const blocked = await school.submitFlight(student);
  expectStatus(200, await owner.patch("/clearance/rules/solo_medical", { action: "block" }));
  expectStatus(409, await instructor.post(`/flights/${blocked.id}/approve`));
});

test("a PIC with passengers flies without a student, and the flight itself is no recent experience yet", async () => {
  const school = await newSchool();
  const { owner } = school;
  const body = {
    crew: [{ person_id: owner.personId, function: "pic" }],
    passengers: 2,
    day_landings: 3,
    night_landings: 1,
  };
  const flight = await school.submitFlight(owner, { body });
  const recency = told(flight).filter((one) => one.includes("recency"));
  expect(recency).toEqual(
    ["passenger_recency", "night_passenger_recency"].map((rule) => `warn ${rule} of ${owner.personId}`),
  );
  expectStatus(200, await school.instructor.post(`/flights/${flight.id}/approve`));
  const again = told(await school.submitFlight(owner, { body: { ...body, ...later(school) } }));
  expect(again.filter((one) => one.includes("recency"))).toEqual([]);
});

test("a flight of the same day that came after it is no recent experience of a flight", async () => {
  const school = await newSchool();
  const { owner } = school;
  const body = { crew: [{ person_id: owner.personId, function: "pic" }], passengers: 2, day_landings: 3 };
  const second = await school.submitFlight(owner, { body: { ...body, ...later(school) } });
  expectStatus(200, await school.instructor.post(`/flights/${second.id}/approve`));
  const first = await school.submitFlight(owner, { body });
  expect(told(first)).toContain(`warn passenger_recency of ${owner.personId}`);
});

const later = ({ installation }: School) => {
  const now = installation.clock.now().getTime();
  const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  return { off_block_at: at(50), on_block_at: at(5) };
};

test("what is due is found with the flight's own figures, once: before the approval posts them", async () => {
  const school = await newSchool();
  await onlyMedicals(school);
  const { owner, student, aircraftId } = school;
  await add(owner, medical(school, student.personId, 30));
  // 62 minutes are left, as long as the flight is.
  const item = { aircraft_id: aircraftId, name: "Oil", interval_hours: "50.00", tolerance_hours: "5.00" };
  const done = { last_done_airframe_minutes: 74070 + 62 - 50 * 60 };
  expectStatus(201, await owner.post("/maintenance/items", { ...item, ...done }));
  const flight = await school.submitFlight(student);
  expect(told(flight)).toEqual([]);
  expect(told(expectStatus(200, await owner.post(`/flights/${flight.id}/approve`)).body.data)).toEqual([]);
  const [next] = (await school.submitFlight(student, { body: later(school) })).findings;
  expect(next).toMatchObject({
    rule: "maintenance_due",
    message: "Falls due before the end of the flight: Oil.",
    person_id: null,
  });
});

describe("who sees findings", () => {
  test("members who see records and medicals see all, others those about the aircraft and themselves", async () => {
    const school = await newSchool();
    const { owner, instructor, student, aircraftId } = school;
    for (const person of [instructor, student]) await add(owner, medical(school, person.personId, -30));
    await onlyMedicals(school);
    expectStatus(
      201,
      await owner.post("/maintenance/items", { aircraft_id: aircraftId, name: "Oil", interval_months: 1 }),
    );
    expectStatus(200, await owner.patch("/clearance/rules/required_record", { action: "warn" }));
    const requirement = { applies_to: "student", any_of: ["radio"] };
    expectStatus(201, await owner.post("/compliance/requirements", requirement));
    const [mechanic, accountant] = [await school.join(["mechanic"]), await school.join(["accountant"])];
    const ofAircraft = "warn maintenance_due of the aircraft";
    const ofInstructor = `block medical_expired of ${instructor.personId}`;
    const ofStudent = `warn required_record of ${student.personId}`;

    const draft = await school.draftFlight(student, { body: { crew: dual(school) } });
    const at = `/flights/${draft.id}`;
    const submitted = expectStatus(200, await student.post(`${at}/submit`)).body.data;
    const edited = expectStatus(200, await student.patch(at, { remarks: "Windy." })).body.data;
    for (const shown of [submitted, edited]) expect(told(shown)).toEqual([ofAircraft, ofStudent]);
    for (const [by, expected] of [
      [owner, [ofAircraft, ofInstructor, ofStudent]],
      [instructor, [ofAircraft, ofInstructor, ofStudent]],
      [student, [ofAircraft, ofStudent]],
      [mechanic, [ofAircraft]],
      [accountant, [ofAircraft]],
    ] as const) {
      expect(told(expectStatus(200, await by.get(at)).body.data)).toEqual([...expected]);
      const { data } = expectStatus(200, await by.get("/flights")).body;
      expect(data.map(told)).toEqual([[...expected]]);
    }
  });

  test("programs do not", async () => {
    const school = await newSchool();
    await school.submitFlight(school.student);
    const key = await school.apiKey("public.flights:read");
    const { data } = expectStatus(200, await school.publicGet("/flights", key)).body;
    expect(data).toHaveLength(1);
    expect(data[0]).not.toHaveProperty("findings");
  });
});

test("an approval that races a grounding at the end of the flight: either it comes first, or it is refused", async () => {
  const installation = await newInstallation();
  const outcomes = new Set<string>();
  for (const groundFirst of [true, false, true, false]) {
    const school = await newSchool(installation);
    await onlyMedicals(school);
    const { owner, instructor, student, aircraftId } = school;
    await add(owner, medical(school, student.personId, 30));
    const now = installation.clock.now();
    const times = { off_block_at: new Date(now.getTime() - 3_600_000).toISOString(), on_block_at: now.toISOString() };
    const { id } = await school.submitFlight(student, { body: times });
    const ground = () => owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Flat tyre." });
    const approve = () => instructor.post(`/flights/${id}/approve`);
    const [one, other] = await Promise.all(groundFirst ? [ground(), approve()] : [approve(), ground()]);
    const [grounded, approved] = groundFirst ? [one, other] : [other, one];
    expectStatus(200, grounded);
    const { status, findings } = (await owner.get(`/flights/${id}`)).body.data;
    const { airframe_minutes } = await school.aircraft();
    outcomes.add(JSON.stringify([approved.status, approved.body.error?.reason, status, findings, airframe_minutes]));
  }
  const first = [200, undefined, "approved", [], 74130];
  const refused = [409, "findings_not_acknowledged", "submitted", [], 74070];
  const possible = [first, refused].map((outcome) => JSON.stringify(outcome));
  expect([...outcomes].filter((outcome) => !possible.includes(outcome))).toEqual([]);
});

test("the erasure of a person removes the findings about them, and their name from those of an instructor they supervise", async () => {
  const school = await newSchool();
  const { owner, student, installation, orgId } = school;
  const named = { name: 'Anna "Anni" Berg', types: ["instructor"] };
  const { id: supervisorId } = expectStatus(201, await owner.post("/people", named)).body.data;
  const restricted = {
    name: "Rudi Neu",
    types: ["instructor"],
    restricted_instructor: true,
    supervisor_id: supervisorId,
  };
  const { id: fiId } = expectStatus(201, await owner.post("/people", restricted)).body.data;
  const crew = [
    { person_id: fiId, function: "instructor" },
    { person_id: student.personId, function: "spic" },
  ];
  const { id, findings } = await school.submitFlight(owner, { body: { crew } });
  expect(told({ findings })).toContain(`warn medical_missing of ${student.personId}`);
  expect(JSON.stringify(findings)).toContain('the supervision of Anna \\"Anni\\" Berg');

  if (!isId<"organization">(orgId)) throw new Error("It is an id.");
  const by = { actor: { kind: "anonymous" }, requestId: "" } as const;
  const erase = (personId: string, name: string) =>
    installation.storage.tenants.tenant(orgId).write(async (tx) => {
      if (isId<"person">(personId))
        await flightsPersonal.erase?.(tx, { personId, names: [name], emails: [], userIds: [] }, by);
    });
  await erase(student.personId, "Sam Student");
  await erase(supervisorId, named.name);
  const left = (await owner.get(`/flights/${id}`)).body.data.findings;
  expect(told({ findings: left })).toEqual(told({ findings }).filter((one) => !one.includes(student.personId)));
  expect(JSON.stringify(left)).not.toContain("Anni");
});
