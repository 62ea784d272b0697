/** The clearance as a member asks for it: from the school's records, groundings, maintenance and approved flights. */
import { expect, test } from "bun:test";
import { toInstant } from "../../../src/core/clock.ts";
import { isId, type SessionId } from "../../../src/core/ids.ts";
import { askClearance } from "../../../src/modules/clearance/ask-clearance.ts";
import { expectStatus, type Member, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { publish, small } from "../training/school.ts";

const dayOf = ({ installation }: School, days: number) =>
  new Date(installation.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
const inHours = ({ installation }: School, hours: number) =>
  new Date(installation.clock.now().getTime() + hours * 3_600_000).toISOString();

interface Question {
  by?: Member;
  aircraft_id?: string;
  person_id?: string;
  function?: string;
  at?: string;
  [other: string]: unknown;
}

const ask = (school: School, { by = school.owner, ...question }: Question = {}) => {
  const usual = {
    aircraft_id: school.aircraftId,
    person_id: school.student.personId,
    function: "solo",
    at: inHours(school, 1),
  };
  return by.get(
    `/clearance?${new URLSearchParams(Object.entries({ ...usual, ...question }).map(([name, value]) => [name, String(value)]))}`,
  );
};
const told = async (school: School, question?: Question) => {
  const { decision, reasons } = expectStatus(200, await ask(school, question)).body.data;
  return [decision, ...reasons.map(({ rule, message }: Record<string, string>) => `${rule}: ${message}`)];
};

const add = async (by: Member, record: object): Promise<{ id: string }> =>
  expectStatus(201, await by.post("/compliance/records", record)).body.data;

/** Enters all that an aircraft needs, and a student. */
async function inOrder(school: School): Promise<{ medicalId: string }> {
  const { owner, aircraftId, student } = school;
  const dates = { issued_on: dayOf(school, -300), valid_until: dayOf(school, 60) };
  for (const type of ["arc", "insurance"]) await add(owner, { aircraft_id: aircraftId, type, ...dates });
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { date_of_birth: "2000-01-01" }));
  const medical = { person_id: student.personId, type: "medical", level: "lapl", ...dates };
  return { medicalId: (await add(owner, medical)).id };
}

test("a student with a medical may fly solo in an aircraft that is in order", async () => {
  const school = await newSchool();
  expectStatus(200, await school.owner.patch("/clearance/rules/solo_medical", { action: "block" }));
  expect(await told(school)).toEqual([
    ...["block", "aircraft_record: Missing: Airworthiness review certificate.", "aircraft_record: Missing: Insurance."],
    "solo_medical: Missing: Medical certificate.",
    "solo_age: A student who flies solo must be 16, and the date of birth is not known.",
  ]);
  await inOrder(school);
  const { data } = expectStatus(200, await ask(school)).body;
  expect(data).toEqual({
    decision: "clear",
    aircraft: { id: school.aircraftId, registration: "D-EABC" },
    person: { id: school.student.personId, name: "Sam Student" },
    ...{ function: "solo", at: inHours(school, 1), reasons: [], recency: [] },
  });
});

test("nobody is told whether a solo flight with passengers is in order: there is none", async () => {
  const school = await newSchool();
  const { issues } = expectStatus(400, await ask(school, { passengers: 1 })).body;
  expect(issues).toEqual([
    { path: "query.passengers", code: "solo_passengers", message: "A solo flight has no passengers." },
  ]);
  expectStatus(200, await ask(school, { passengers: 1, function: "pic" }));
});

test("an expired medical blocks, with the record and its day for the student and for members who may see medicals", async () => {
  const school = await newSchool();
  const { medicalId } = await inOrder(school);
  const after = { at: new Date(Date.parse(`${dayOf(school, 62)}T12:00:00Z`)).toISOString() };
  const reasonsFor = async (by: Member) => {
    const { reasons } = expectStatus(200, await ask(school, { by, ...after })).body.data;
    return reasons.find(({ rule }: { rule: string }) => rule === "medical_expired");
  };
  const told = {
    ...{ action: "block", subject: "person", message: "Expired: Medical certificate.", missing: [] },
    lifted_by: `A record that is valid on ${dayOf(school, 62)}: Medical certificate.`,
    source: { article: "MED.A.030", regulation: "(EU) 2019/27", effective_from: "2019-01-30" },
    ...{ record_id: medicalId, valid_until: dayOf(school, 60) },
    needed: { any_of: ["medical"], levels: [], state: "expired" },
  };
  for (const by of [school.owner, school.instructor, school.student]) expect(await reasonsFor(by)).toMatchObject(told);
  const withdrawn = { reason: "Of another person.", entered_by_mistake: true };
  const path = `/compliance/records/${medicalId}/withdraw`;
  expect(expectStatus(200, await school.owner.post(path, withdrawn)).body.data.entered_by_mistake).toBe(true);
  expect((await ask(school, after)).body.data.reasons.at(-1).rule).toBe("solo_medical");
});

test("a withdrawn medical blocks a solo from that day on, until one that was issued on or after that day", async () => {
  const school = await newSchool();
  await inOrder(school);
  const { owner, student } = school;
  const medical = { person_id: student.personId, type: "medical", level: "class_2" };
  const suspended = await add(owner, { ...medical, issued_on: dayOf(school, -100), valid_until: dayOf(school, 1) });
  expect(await told(school)).toEqual(["clear"]);
  expectStatus(200, await owner.post(`/compliance/records/${suspended.id}/withdraw`, { reason: "Suspended." }));
  const blocked = ["block", "medical_expired: Withdrawn: Medical certificate."];
  expect(await told(school)).toEqual(blocked);
  expect(await told(school, { at: inHours(school, 48) })).toEqual(blocked);
  expect(await told(school, { at: inHours(school, -24) })).toEqual(["clear"]);
  const old = { ...medical, level: "lapl", issued_on: dayOf(school, -101), valid_until: dayOf(school, 900) };
  await add(owner, old);
  expect(await told(school)).toEqual(blocked);
  await add(owner, { ...old, issued_on: dayOf(school, -1) });
  expect(await told(school)).toEqual(blocked);
  await add(owner, { ...old, issued_on: dayOf(school, 0) });
  expect(await told(school)).toEqual(["clear"]);
});

test("a medical of class 1 alone covers class 2 until its own last day, computed or as the document states it", async () => {
  const school = await newSchool();
  const { owner, student, aircraftId } = school;
  for (const type of ["arc", "insurance"])
    await add(owner, {
      aircraft_id: aircraftId,
      type,
      issued_on: dayOf(school, -10),
      valid_until: dayOf(school, 3000),
    });
  const born = (date_of_birth: string | null) => owner.patch(`/people/${student.personId}`, { date_of_birth });
  await born("1990-01-01");
  const { id } = await publish({ owner }, { ...small, kind: "ppl_a" });
  const enrolled = { student_id: student.personId, revision_id: id, started_on: dayOf(school, 0) };
  expectStatus(201, await owner.post("/training/enrollments", enrolled));
  const medical = { person_id: student.personId, type: "medical", level: "class_1", issued_on: "2026-06-01" };
  await add(owner, { ...medical, valid_until: "2027-06-01" });
  const on = (date: string) => told(school, { at: `${date}T10:00:00Z` });
  expect(await on("2027-06-02")).toEqual(["clear"]);
  expect(await on("2031-06-01")).toEqual(["clear"]);
  const expired = "medical_expired: Expired: Medical certificate (class_2 or class_1).";
  expect(await on("2031-06-02")).toEqual(["block", expired]);
  expectStatus(200, await born(null));
  expect(await on("2027-06-01")).toContain(
    "solo_age: A student who flies solo must be 16, and the date of birth is not known.",
  );
  expect((await on("2027-06-02"))[1]).toBe(
    `${expired} Whether it still counts for a lower class is not known without the date of birth.`,
  );
  const states = [{ level: "class_2", valid_until: "2028-06-01" }];
  expect(await add(owner, { ...medical, valid_until: "2027-06-01", other_levels: states })).toMatchObject({
    other_levels: states,
  });
  expectStatus(200, await born("1990-01-01"));
  expect(await on("2028-06-01")).toEqual(["clear"]);
});

test("a medical that ends during the flight does not cover it: the day is local, in the night of a clock change, too", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  await add(owner, { person_id: student.personId, type: "medical", level: "lapl", ...lastDay("2026-03-28") });
  // In Berlin the 28th ends at 23:00 UTC; three hours later the clock goes forward.
  const at = "2026-03-28T22:30:00.000Z";
  const message = "medical_expired: Expires before the end of the flight: Medical certificate.";
  expect(await told(school, { at, minutes: 30 })).not.toContain(message);
  expect(await told(school, { at, minutes: 31 })).toContain(message);
  expect((await told(school, { at, minutes: 31 }))[0]).toBe("block");
  expectStatus(200, await owner.patch("", { time_zone: "UTC" }));
  expect(await told(school, { at, minutes: 90 })).not.toContain(message);
  expect(await told(school, { at, minutes: 91 })).toContain(message);
});

const lastDay = (valid_until: string) => ({ issued_on: "2025-01-15", valid_until });

test("at night the PIC needs a night rating, and a student who flies solo a training for it", async () => {
  const school = await newSchool();
  await inOrder(school);
  const { owner, student } = school;
  const missing = "night_rating: Missing: Night rating.";
  expect(await told(school, { night: true })).toEqual(["warn", missing]);
  expect(await told(school, { night: false })).toEqual(["clear"]);
  const night = await publish({ owner }, { ...small, kind: "night", name: "Night rating" });
  const enrolled = { student_id: student.personId, revision_id: night.id, started_on: dayOf(school, 0) };
  expectStatus(201, await owner.post("/training/enrollments", enrolled));
  expect(await told(school, { night: true })).toEqual(["clear"]);
  expect(await told(school, { night: true, at: inHours(school, -24) })).toEqual(["warn", missing]);
  expect(await told(school, { night: true, function: "pic" })).toContain(missing);
  await add(owner, { person_id: student.personId, type: "night", issued_on: dayOf(school, 0) });
  expect(await told(school, { night: true, function: "pic" })).not.toContain(missing);
});

test("a student flies solo with the medical that the licence aimed at needs", async () => {
  const school = await newSchool();
  await inOrder(school);
  const { owner, student } = school;
  const { id } = await publish({ owner }, { ...small, kind: "ppl_a" });
  expect(await told(school)).toEqual(["clear"]);
  const enrolled = { student_id: student.personId, revision_id: id, started_on: dayOf(school, 0) };
  const enrollment = expectStatus(201, await owner.post("/training/enrollments", enrolled)).body.data;
  const notEnough = "medical_class: The medical certificate is not enough for a licence of level ppl.";
  expect(await told(school)).toEqual(["warn", notEnough]);
  expect(await told(school, { function: "dual" })).toEqual(["clear"]);
  expectStatus(200, await owner.post(`/training/enrollments/${enrollment.id}/suspend`, { reason: "Ill." }));
  expect(await told(school)).toEqual(["warn", notEnough]);
  expectStatus(200, await owner.post(`/training/enrollments/${enrollment.id}/resume`));
  expectStatus(200, await owner.post(`/training/enrollments/${enrollment.id}/withdraw`, { reason: "Moved." }));
  // They hold no licence yet.
  expect(await told(school, { at: inHours(school, 24) })).toEqual(["warn", notEnough]);
  await add(owner, { person_id: student.personId, type: "licence", level: "lapl", issued_on: dayOf(school, 0) });
  expect(await told(school, { at: inHours(school, 24) })).toEqual(["clear"]);
});

test("a past flight is judged by the record that was valid then, although another has superseded it", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const medical = { person_id: student.personId, type: "medical", level: "lapl" };
  await add(owner, { ...medical, issued_on: dayOf(school, -400), valid_until: dayOf(school, -30) });
  await add(owner, { ...medical, issued_on: dayOf(school, -1), valid_until: dayOf(school, 700) });
  const rulesAt = async (days: number) => {
    const { reasons } = expectStatus(200, await ask(school, { at: inHours(school, days * 24) })).body.data;
    return reasons.map(({ rule }: { rule: string }) => rule).filter((rule: string) => rule.startsWith("medical"));
  };
  expect(await rulesAt(-40)).toEqual([]);
  expect(await rulesAt(-10)).toEqual(["medical_expired"]);
  expect(await rulesAt(1)).toEqual([]);
});

test("members who see records, but no medicals, are not told which record it is, nor its day", async () => {
  const school = await newSchool();
  const { installation, owner, aircraftId, student } = school;
  await inOrder(school);
  const [org, user] = [school.orgId, owner.userId];
  if (
    !(
      isId<"organization">(org) &&
      isId<"user">(user) &&
      isId<"aircraft">(aircraftId) &&
      isId<"person">(student.personId)
    )
  )
    throw new Error("They are ids.");
  const permissions = new Set(["compliance:read"] as const);
  const session = { sessionId: user as string as SessionId, email: owner.email, name: "Olga" };
  const actor = { kind: "user" as const, userId: user, orgId: org, permissions, ...session };
  const query = { aircraft_id: aircraftId, person_id: student.personId, function: "solo" as const };
  const at = toInstant(new Date(Date.parse(`${dayOf(school, 62)}T12:00:00Z`)));
  const answer = await installation.storage.tenants
    .tenant(org)
    .read((reader) => askClearance(reader, actor, { ...query, at, minutes: 60, passengers: 0, night: false }));
  const reasons = answer.reasons.filter(({ rule }) => rule === "medical_expired");
  expect(reasons).toMatchObject([{ message: "Expired: Medical certificate.", record_id: null, valid_until: null }]);
  expect(JSON.stringify(reasons)).not.toContain(dayOf(school, 60));
});

test("members without `compliance:read` ask about themselves only; others are told who does not exist", async () => {
  const school = await newSchool();
  const [mechanic, accountant] = [await school.join(["mechanic"]), await school.join(["accountant"])];
  expectStatus(403, await ask(school, { by: accountant, person_id: accountant.personId }));
  expectStatus(200, await ask(school, { by: mechanic, person_id: mechanic.personId }));
  const unknown = "01890a5d-ac96-774b-bcce-b302099a8057";
  const faults = async (question: Question) => expectStatus(400, await ask(school, question)).body.issues;
  for (const question of [{ person_id: unknown }, { by: school.student, person_id: school.instructor.personId }])
    expect(await faults(question)).toMatchObject([{ path: "query.person_id", code: "unknown" }]);
  expect(await faults({ aircraft_id: unknown })).toMatchObject([{ path: "query.aircraft_id", code: "unknown" }]);
  expect(await faults({ at: "9999-12-31T23:59:00Z" })).toMatchObject([{ path: "query.at" }]);
});

test("a proficiency check is enough for the holder of an LAPL, until 24 months later", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  await inOrder(school);
  const pilot = { person_id: student.personId };
  await add(owner, { ...pilot, type: "licence", level: "lapl", issued_on: dayOf(school, -500) });
  await add(owner, { ...pilot, type: "elp", level: "6", issued_on: dayOf(school, -500) });
  expect((await told(school, { function: "pic" }))[1]).toStartWith("lapl_recency: Recency of the LAPL(A): missing");
  await add(owner, { ...pilot, type: "lapl_check", issued_on: dayOf(school, -10) });
  const { data } = expectStatus(200, await ask(school, { function: "pic" })).body;
  const until = String(Temporal.PlainDate.from(dayOf(school, -10)).add({ months: 24 }));
  expect(data).toMatchObject({ decision: "clear", recency: [{ rule: "lapl_recency", until }] });
});

test("of the holder of an LAPL, the block time of approved flights counts, until one is reversed", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  await inOrder(school);
  const pilot = { person_id: student.personId };
  await add(owner, { ...pilot, type: "licence", level: "lapl", issued_on: dayOf(school, -500) });
  await add(owner, { ...pilot, type: "elp", level: "6", issued_on: dayOf(school, -500) });
  const missing = async () => {
    const { reasons } = expectStatus(200, await ask(school, { function: "pic", passengers: 1 })).body.data;
    const of = (key: string) => reasons.find(({ rule }: { rule: string }) => rule === key)?.message;
    return [of("lapl_recency"), of("lapl_passengers")];
  };
  const lacks = (minutes: number, landings: number) => [
    expect.stringContaining(`: ${720 - minutes} minutes as PIC or under supervision, ${12 - landings} landings`),
    expect.stringContaining(`: ${600 - minutes} minutes are missing`),
  ];
  expect(await missing()).toEqual(lacks(0, 0));
  const times = { off_block_at: inHours(school, -3), on_block_at: inHours(school, -1.5) };
  const { id } = await school.submitFlight(owner, {
    body: { crew: [{ ...pilot, function: "pic" }], ...times, day_landings: 2 },
  });
  expect(await missing()).toEqual(lacks(0, 0));
  expectStatus(200, await owner.post(`/flights/${id}/approve`));
  expect(await missing()).toEqual(lacks(90, 2));
  expectStatus(200, await owner.post(`/flights/${id}/reverse`, { reason: "Entered twice." }));
  expect(await missing()).toEqual(lacks(0, 0));
});

test("without a time, a clearance is for now", async () => {
  const school = await newSchool();
  const question = { aircraft_id: school.aircraftId, person_id: school.student.personId, function: "solo" };
  const { data } = expectStatus(200, await school.owner.get(`/clearance?${new URLSearchParams(question)}`)).body;
  expect(data.at).toBe(inHours(school, 0));
});

test("an archived aircraft or person has no clearance", async () => {
  const school = await newSchool();
  expectStatus(200, await school.owner.patch(`/people/${school.student.personId}`, { status: "archived" }));
  expect(expectStatus(409, await ask(school)).body.error.reason).toBe("person_archived");
  expectStatus(200, await school.owner.patch(`/aircraft/${school.aircraftId}`, { status: "archived" }));
  expect(expectStatus(409, await ask(school)).body.error.reason).toBe("aircraft_archived");
});

test("a grounding blocks from when it was made until it is lifted, and later flights while it is open", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  await inOrder(school);
  const { owner, aircraftId } = school;
  const before = inHours(school, -3);
  const { groundings } = expectStatus(200, await owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Flat tyre." }))
    .body.data;
  expect(await told(school)).toEqual(["block", "aircraft_grounded: Grounded: Flat tyre."]);
  expect(await told(school, { at: before })).toEqual(["clear"]);
  expect(await told(school, { at: inHours(school, -0.5) })).toEqual([
    "block",
    "aircraft_grounded: Grounded: Flat tyre.",
  ]);

  const during = inHours(school, 0.1);
  installation.clock.advance(600_000);
  expectStatus(200, await owner.post(`/aircraft/${aircraftId}/groundings/${groundings[0].id}/lift`));
  expect(await told(school)).toEqual(["clear"]);
  const { data } = expectStatus(200, await ask(school, { at: during })).body;
  expect(data.decision).toBe("block");
  expect(data.reasons[0].lifted_by).toStartWith("It was lifted at ");
});

test("maintenance that is overdue, or falls due before the end of the flight by hours or by date", async () => {
  const school = await newSchool();
  await inOrder(school);
  const { owner, aircraftId } = school;
  const item = async (more: object) =>
    expectStatus(201, await owner.post("/maintenance/items", { aircraft_id: aircraftId, ...more }));
  await item({ name: "Oil", interval_hours: "50.00", last_done_airframe_minutes: 74070 - 48 * 60 });
  await item({ name: "Annual", interval_months: 12, last_done_on: dayOf(school, -360) });
  const oil = "maintenance_due: Falls due before the end of the flight: Oil.";
  expect(await told(school)).toEqual(["clear"]);
  expect(await told(school, { minutes: 120 })).toEqual(["clear"]);
  expect(await told(school, { minutes: 121 })).toEqual(["warn", oil]);
  expect(await told(school, { at: inHours(school, 30 * 24) })).toEqual(["warn", "maintenance_due: Overdue: Annual."]);
  await item({
    name: "ELT",
    critical: true,
    interval_months: 12,
    tolerance_days: 9,
    last_done_on: dayOf(school, -360),
  });
  expect((await told(school, { at: inHours(school, 10 * 24) }))[0]).toBe("warn");
  expect((await told(school, { at: inHours(school, 30 * 24) })).slice(0, 2)).toEqual([
    "block",
    "aircraft_grounded: Grounded by then: ELT is overdue by more than its tolerance.",
  ]);
});

test("an aircraft is grounded by the day after its insurance expires, or after the deferral of a defect ends", async () => {
  const school = await newSchool();
  await inOrder(school);
  const { owner, aircraftId } = school;
  const defects = `/aircraft/${aircraftId}/defects`;
  const { id } = expectStatus(201, await owner.post(defects, { description: "Left brake drags." })).body.data;
  const deferral = { reason: "The part is ordered.", until: dayOf(school, 20) };
  expectStatus(200, await owner.post(`${defects}/${id}/defer`, deferral));
  const after = (days: number) => told(school, { at: `${dayOf(school, days)}T12:00:00Z` });
  expect(await after(20)).toEqual(["clear"]);
  expect(await after(21)).toEqual([
    "block",
    "aircraft_grounded: Grounded by then: The deferral has ended: Left brake drags.",
  ]);
  expect((await after(61)).slice(0, 3)).toEqual([
    "block",
    "aircraft_grounded: Grounded by then: No valid airworthiness review certificate.",
    "aircraft_grounded: Grounded by then: No valid insurance.",
  ]);
});

test("recent experience counts approved flights in the class, and the student's landings of an instruction flight", async () => {
  const school = await newSchool();
  const { owner, instructor, student } = school;
  await inOrder(school);
  const approved = async (crew: object[], body: object) => {
    const { id } = await school.submitFlight(owner, { body: { crew, ...body } });
    expectStatus(200, await owner.post(`/flights/${id}/approve`));
  };
  const experience = async (member: Member, onBoard: string) =>
    (await told(school, { person_id: member.personId, function: onBoard, passengers: 1 })).filter((one) =>
      one.includes("_recency"),
    );
  const lacks = (count: number) =>
    `passenger_recency: Carrying passengers: missing in the 90 days before ${dayOf(school, 0)}: ${count} landing${count === 1 ? "" : "s"}.`;
  const dual = [
    { person_id: instructor.personId, function: "instructor" },
    { person_id: student.personId, function: "dual" },
  ];
  await approved(dual, { day_landings: 2 });
  await school.submitFlight(student, { body: { day_landings: 1 } });
  expect(await experience(instructor, "instructor")).toEqual([lacks(3)]);
  expect(await experience(student, "pic")).toEqual([lacks(1)]);
  await approved([{ person_id: student.personId, function: "solo" }], { day_landings: 1 });
  expect(await experience(student, "pic")).toEqual([]);
  const { recency } = (await ask(school, { person_id: student.personId, function: "pic", passengers: 1 })).body.data;
  const until = dayOf(school, 90);
  expect(recency).toEqual([
    { rule: "passenger_recency", until, missing: [{ what: "landings", amount: 3, by: until }] },
  ]);

  const simulator = { registration: "DE-1A-001", model: "FNPT II", class: "FSTD" };
  const { id } = expectStatus(201, await owner.post("/aircraft", simulator)).body.data;
  expect(await told(school, { aircraft_id: id, function: "pic" })).toEqual([
    ...["warn", "aircraft_record: Missing: FSTD qualification certificate."],
  ]);
});

test("a solo flight is supervised by another instructor who is at the school, as of a flight (FCL.020)", async () => {
  const { owner, student, instructor, aircraftId } = await newSchool();
  const person = async (fields: object) => expectStatus(201, await owner.post("/people", fields)).body.data.id;
  const both = await person({ name: "Ben Both", types: ["instructor", "student"] });
  const gone = await person({ name: "Gina Gone", types: ["instructor"] });
  expectStatus(200, await owner.patch(`/people/${gone}`, { status: "archived" }));
  const ask = (person_id: string, supervisor_id: string) =>
    owner.get(
      `/clearance?function=solo&person_id=${person_id}&supervisor_id=${supervisor_id}&aircraft_id=${aircraftId}`,
    );
  expectStatus(200, await ask(both, instructor.personId));
  expectStatus(200, await ask(student.personId, both));
  const refused = async (person_id: string, supervisor_id: string) => {
    const { status, body } = await ask(person_id, supervisor_id);
    return [status, body.issues?.[0].code ?? body.error.reason];
  };
  expect(await refused(both, both)).toEqual([400, "impossible"]);
  expect(await refused(student.personId, gone)).toEqual([409, "person_archived"]);
  expect(await refused(student.personId, student.personId)).toEqual([400, "impossible"]);
  expect(await refused(both, student.personId)).toEqual([400, "unknown"]);
});
