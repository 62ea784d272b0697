/** Evaluations follow people, aircraft, records and requirements, and the days that pass. */
import { describe, expect, test } from "bun:test";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, type Member, newOwnSchool, newSchool } from "../../support/school.ts";

const evaluationOf = async (by: Member, query: string) => {
  const { data } = expectStatus(200, await by.get(`/compliance/evaluations?${query}`)).body;
  expect(data).toHaveLength(1);
  return data[0];
};
const told = ({ status, reasons }: { status: string; reasons: { any_of: string[]; state: string }[] }) => [
  status,
  ...reasons.map(({ any_of, state }) => `${any_of.join("/")} ${state}`),
];

test("a student sees their own evaluation only, and a mechanic also those of aircraft", async () => {
  const { student, aircraftId, join, owner } = await newSchool();
  const seenBy = async (by: Member, query = "") =>
    expectStatus(200, await by.get(`/compliance/evaluations${query}`)).body.data.map(
      ({ person_id, aircraft_id }: { person_id: string | null; aircraft_id: string | null }) =>
        person_id ?? aircraft_id,
    );
  expect(await seenBy(student)).toEqual([student.personId]);
  expect(await seenBy(student, `?aircraft_id=${aircraftId}`)).toEqual([]);
  expect(await seenBy(student, `?person_id=${owner.personId}`)).toEqual([]);
  const mechanic = await join(["mechanic"]);
  expect(await seenBy(mechanic)).toContain(aircraftId);
  expect(await seenBy(mechanic, `?person_id=${student.personId}`)).toEqual([]);
  const { error } = expectStatus(403, await (await join(["accountant"])).get("/compliance/evaluations")).body;
  expect(error.reason).toBe("permission_missing");
});

test("evaluations are listed the oldest first, also page by page", async () => {
  const { owner, installation } = await newOwnSchool();
  const added: string[] = [];
  for (const name of ["Cem", "Bob", "Ada"]) {
    installation.clock.advance(1);
    added.push(expectStatus(201, await owner.post("/people", { name, types: ["student"] })).body.data.id);
  }
  const people = (rows: { person_id: string }[]) => rows.map(({ person_id }) => person_id);
  const whole = people(expectStatus(200, await owner.get("/compliance/evaluations")).body.data);
  expect(whole.filter((id) => added.includes(id))).toEqual(added);
  const first = expectStatus(200, await owner.get("/compliance/evaluations?limit=2")).body;
  expect(people(first.data)).toEqual(whole.slice(0, 2));
  const rest = await owner.get(`/compliance/evaluations?cursor=${first.page.next_cursor}`);
  expect(people(expectStatus(200, rest).body.data)).toEqual(whole.slice(2));
});

const add = async (by: Member, record: object) =>
  expectStatus(201, await by.post("/compliance/records", record)).body.data;

test("a new person is evaluated, and again when their types or their records change", async () => {
  const { owner } = await newSchool();
  const { id } = expectStatus(201, await owner.post("/people", { name: "Anna Berg", types: ["student"] })).body.data;
  const person = `person_id=${id}`;
  expect(told(await evaluationOf(owner, person))).toEqual(["not_compliant", "medical missing"]);

  const medical = { person_id: id, type: "medical", level: "lapl", issued_on: "2025-01-01", valid_until: "2027-01-01" };
  const { id: recordId } = await add(owner, medical);
  expect(told(await evaluationOf(owner, person))).toEqual(["compliant"]);

  expectStatus(200, await owner.patch(`/people/${id}`, { types: ["pilot"] }));
  expect(told(await evaluationOf(owner, person))).toEqual([
    ...["not_compliant", "licence missing", "sep/tmg/mep missing", "elp missing"],
  ]);
  expectStatus(200, await owner.post(`/compliance/records/${recordId}/withdraw`, { reason: "Suspended." }));
  expect(told(await evaluationOf(owner, person))).toContain("medical missing");
});

test("a medical of class 1 meets a requirement of class 2 until that class ends, and a withdrawn one voids older ones", async () => {
  const { owner } = await newSchool();
  const born = { name: "Anna Berg", types: ["student"], date_of_birth: "1990-01-01" };
  const { id } = expectStatus(201, await owner.post("/people", born)).body.data;
  const person = `person_id=${id}`;
  const medical = { person_id: id, type: "medical" };
  await add(owner, { ...medical, level: "lapl", issued_on: "2024-06-01", valid_until: "2029-06-01" });
  const class1 = await add(owner, { ...medical, level: "class_1", issued_on: "2025-06-01", valid_until: "2026-06-01" });
  expect(told(await evaluationOf(owner, person))).toEqual(["compliant"]);
  const [required] = expectStatus(200, await owner.get("/compliance/requirements?applies_to=student")).body.data;
  const change = { levels: ["class_2", "class_1"] };
  expectStatus(200, await owner.patch(`/compliance/requirements/${required.id}`, change));
  await add(owner, { person_id: id, type: "radio", issued_on: "2025-06-01" });
  expect(told(await evaluationOf(owner, person))).toEqual(["compliant"]);
  expectStatus(200, await owner.patch(`/compliance/requirements/${required.id}`, { levels: [] }));
  expectStatus(200, await owner.post(`/compliance/records/${class1.id}/withdraw`, { reason: "Suspended." }));
  expect(told(await evaluationOf(owner, person))).toEqual(["not_compliant", "medical missing"]);
});

test("an aircraft needs an ARC and an insurance", async () => {
  const { owner } = await newSchool();
  const aircraft = { registration: "D-EIJK", model: "Diamond DA40 NG", class: "SEP" };
  const { id } = expectStatus(201, await owner.post("/aircraft", aircraft)).body.data;
  const plane = `aircraft_id=${id}`;
  expect(told(await evaluationOf(owner, plane))).toEqual(["not_compliant", "arc missing", "insurance missing"]);
  await add(owner, { aircraft_id: id, type: "arc", issued_on: "2026-01-01", valid_until: "2026-06-30" });
  expect(told(await evaluationOf(owner, plane))).toEqual(["not_compliant", "arc expiring", "insurance missing"]);
});

test("the job evaluates those whose records expire, and everybody when requirements or warnings change", async () => {
  const { installation, owner } = await newOwnSchool();
  const { id } = expectStatus(201, await owner.post("/people", { name: "Anna Berg", types: ["student"] })).body.data;
  const person = `person_id=${id}`;
  const until = { issued_on: "2025-01-01", valid_until: "2026-07-10" };
  await add(owner, { person_id: id, type: "medical", level: "lapl", ...until });
  const run = () => installation.scheduler.runNow("compliance-evaluation");
  await run();
  const { evaluated_at } = await evaluationOf(owner, person);
  expect(await run()).toMatchObject({ outcome: "idle" });
  expect(told(await evaluationOf(owner, person))).toEqual(["expiring", "medical expiring"]);

  const { data: types } = (await owner.get("/compliance/types?subject=person")).body;
  const medicalType = types.find(({ key }: { key: string }) => key === "medical").id;
  expectStatus(200, await owner.patch(`/compliance/types/${medicalType}`, { warning_days: 0 }));
  await run();
  expect(told(await evaluationOf(owner, person))).toEqual(["compliant"]);
  const briefing = { key: "briefing", name: "Safety briefing", subject: "person" };
  expectStatus(201, await owner.post("/compliance/types", briefing));
  const required = { applies_to: "student", any_of: ["briefing"] };
  const { id: requirementId } = expectStatus(201, await owner.post("/compliance/requirements", required)).body.data;
  await run();
  expect(told(await evaluationOf(owner, person))).toEqual(["not_compliant", "briefing missing"]);
  expectStatus(200, await owner.delete(`/compliance/requirements/${requirementId}`));
  await run();
  expect(told(await evaluationOf(owner, person))).toEqual(["compliant"]);
  expect((await evaluationOf(owner, person)).evaluated_at >= evaluated_at).toBe(true);

  installation.clock.set("2026-07-10T21:59:00.000Z"); // 23:59 in Berlin
  await run();
  const later = await owner.signedInAgain();
  const now = async () => told(expectStatus(200, await later.get(`/compliance/evaluations?${person}`)).body.data[0]);
  expect(await now()).toEqual(["expiring", "medical expiring"]);
  installation.clock.advance(60_000);
  await run();
  expect(await now()).toEqual(["not_compliant", "medical expired"]);
});

test("a requirement names existing types of its kind of subject", async () => {
  const { owner } = await newSchool();
  for (const [applies_to, key] of [
    ["student", "arc"],
    ["aircraft", "medical"],
    ["pilot", "yoga"],
  ]) {
    const answer = await owner.post("/compliance/requirements", {
      applies_to,
      any_of: ["radio", key].slice(applies_to === "aircraft" ? 1 : 0),
    });
    expect(expectStatus(400, answer).body.issues[0].path).toMatch(/^body\.any_of\.\d$/);
  }
});

test("an archived person or aircraft is not evaluated, and again after being restored", async () => {
  const { owner } = await newSchool();
  const { id } = expectStatus(201, await owner.post("/people", { name: "Anna Berg", types: ["student"] })).body.data;
  const { data } = (await owner.get("/aircraft")).body;
  for (const [path, query, back] of [
    [`/people/${id}`, `person_id=${id}`, "active"],
    [`/aircraft/${data[0].id}`, `aircraft_id=${data[0].id}`, "available"],
  ]) {
    expectStatus(200, await owner.patch(path ?? "", { status: "archived" }));
    expect((await owner.get(`/compliance/evaluations?${query}`)).body.data).toEqual([]);
    expectStatus(200, await owner.patch(path ?? "", { status: back }));
    expect((await owner.get(`/compliance/evaluations?${query}`)).body.data).toHaveLength(1);
  }
});

test("imported people and aircraft are evaluated", async () => {
  const { owner, orgId } = await newSchool();
  const upload = (path: string, body: string) =>
    owner.call("POST", `/orgs/${orgId}${path}`, { body, headers: { "content-type": "text/csv" } });
  expectStatus(200, await upload("/people/import", "name,types,email\nAda Berg,student,ada.berg@example.com\n"));
  expectStatus(200, await upload("/aircraft/import", "registration,model,class\nD-EIJK,Diamond DA40,SEP\n"));
  const people = (await owner.get("/people?q=Ada%20Berg")).body.data;
  const aircraft = (await owner.get("/aircraft")).body.data;
  const imported = aircraft.find(({ registration }: { registration: string }) => registration === "D-EIJK");
  expect(told(await evaluationOf(owner, `person_id=${people[0].id}`))).toEqual(["not_compliant", "medical missing"]);
  const ofAircraft = async () => told(await evaluationOf(owner, `aircraft_id=${imported.id}`));
  expect(await ofAircraft()).toEqual(["not_compliant", "arc missing", "insurance missing"]);
  expectStatus(200, await upload("/aircraft/import", "registration,class\nD-EIJK,FSTD\n"));
  expect(await ofAircraft()).toEqual(["not_compliant", "fstd_qualification missing"]);
});

test("an aircraft is grounded on the day after its ARC expires, and available again with a new one", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const { owner } = school;
  const { id } = (await owner.get("/aircraft")).body.data[0];
  const status = async () => {
    const { data } = expectStatus(200, await owner.get(`/aircraft/${id}`)).body;
    return [
      data.status,
      ...data.groundings.map(({ kind, note }: { kind: string; note: string }) => `${kind}: ${note}`),
    ];
  };
  const arc = { aircraft_id: id, type: "arc", issued_on: "2025-06-15" };
  await add(owner, { ...arc, valid_until: "2026-06-14" });
  expect(await status()).toEqual(["available"]);
  installation.clock.set("2026-06-14T22:00:00.000Z"); // midnight in Berlin
  const { access_token } = expectStatus(
    200,
    await installation.call("POST", "/auth/refresh", { body: { refresh_token: owner.refreshToken } }),
  ).body;
  await installation.scheduler.runNow("compliance-evaluation");
  const call = (method: string, path: string, body?: object) =>
    installation.call(method, `/orgs/${owner.orgId}${path}`, { token: access_token, ...(body && { body }) });
  const now = async () => expectStatus(200, await call("GET", `/aircraft/${id}`)).body.data;
  expect((await now()).status).toBe("grounded");
  expect((await now()).groundings).toMatchObject([
    { kind: "record", note: "No valid airworthiness review certificate." },
  ]);

  const next = { ...arc, issued_on: "2026-06-15", valid_until: "2027-06-14" };
  const renewed = expectStatus(201, await call("POST", "/compliance/records", next)).body.data;
  expect(await now()).toMatchObject({ status: "available", groundings: [] });
  expectStatus(200, await call("POST", `/compliance/records/${renewed.id}/withdraw`, { reason: "Revoked." }));
  expect((await now()).status).toBe("grounded");
});

test("an aircraft whose ARC expired while it was archived is grounded when that is undone", async () => {
  const { owner } = await newSchool();
  const { id } = (await owner.get("/aircraft")).body.data[0];
  expectStatus(200, await owner.patch(`/aircraft/${id}`, { status: "archived" }));
  await add(owner, { aircraft_id: id, type: "arc", issued_on: "2025-06-01", valid_until: "2026-06-01" });
  const restored = expectStatus(200, await owner.patch(`/aircraft/${id}`, { status: "available" })).body.data;
  expect(restored).toMatchObject({ status: "grounded", groundings: [{ kind: "record" }] });
});

test("a record of an aircraft that was entered by mistake does not ground it, and one that was revoked does", async () => {
  const { owner, aircraftId, aircraft } = await newSchool();
  const arc = { aircraft_id: aircraftId, type: "arc", issued_on: "2026-01-01", valid_until: "2026-12-31" };
  for (const [withdrawal, status] of [
    [{ reason: "Of another aircraft.", entered_by_mistake: true }, "available"],
    [{ reason: "Revoked." }, "grounded"],
  ] as const) {
    const { id } = await add(owner, arc);
    expectStatus(200, await owner.post(`/compliance/records/${id}/withdraw`, withdrawal));
    expect((await aircraft()).status).toBe(status);
  }
});

test("a requirement names levels that one of its types has", async () => {
  const { owner } = await newSchool();
  const required = { applies_to: "pilot", any_of: ["sep", "medical"] };
  for (const [levels, path] of [
    [["class_2", "day"], "body.levels.1"],
    [["day"], "body.levels.0"],
  ]) {
    const answer = await owner.post("/compliance/requirements", { ...required, levels });
    expect(expectStatus(400, answer).body.issues[0].path).toBe(path);
  }
  const { id } = expectStatus(201, await owner.post("/compliance/requirements", { ...required, levels: ["class_2"] }))
    .body.data;
  expect((await owner.patch(`/compliance/requirements/${id}`, { any_of: ["sep"] })).status).toBe(400);
});

describe("GET /internal/compliance-evaluations", () => {
  const path = "/internal/compliance-evaluations";

  test("has the evaluations of the organization in X-Org-Id, or else of the session's", async () => {
    const school = await newSchool();
    const other = await newSchool();
    const { data } = (await school.owner.get("/compliance/evaluations")).body;
    expect(data.length).toBeGreaterThan(1);
    const own = await school.owner.call("GET", `${path}?limit=1`);
    expect(expectStatus(200, own).body.data).toEqual(data.slice(0, 1));
    expect((await school.owner.call("GET", path, { org: school.orgId.toUpperCase() })).body.data).toEqual(data);
    for (const org of [other.orgId, "nonsense"]) {
      const { error } = expectStatus(403, await school.owner.call("GET", path, { org })).body;
      expect(error.reason).toBe("not_a_member");
    }
  });

  test("does not exist in production", async () => {
    const { owner } = await newSchool(await newInstallation({ env: { WINDSOCK_ENV: "production" }, checked: false }));
    expectStatus(404, await owner.call("GET", path));
  });
});
