import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { days, hours } from "../../../src/core/clock.ts";
import type { OrgId } from "../../../src/core/ids.ts";
import { pdfText } from "../../support/pdf-text.ts";
import { findings, release } from "../../support/release.ts";
import { expectStatus, newOwnSchool, pdf } from "../../support/school.ts";
import { contentOf, filesIn, getPack, issue, jsonIn } from "./packing.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const byId = (rows: Body[], id: string) => rows.find((row) => row.id === id);

test("a compliance pack has the state of the organization at the end of a day, and not what happened later", async () => {
  const school = await newOwnSchool();
  const { owner, student, aircraftId, installation } = school;
  const sep = { person_id: student.personId, type: "sep", issued_on: "2025-03-14", valid_until: "2027-03-31" };
  const record = (body: object) => owner.post("/compliance/records", body);
  const requirement = { applies_to: "student", any_of: ["sep"] };
  for (const { id } of (await owner.get("/compliance/requirements")).body.data)
    expectStatus(200, await owner.delete(`/compliance/requirements/${id}`));
  expectStatus(201, await owner.post("/compliance/requirements", requirement));
  const old = expectStatus(201, await record({ ...sep, valid_until: "2026-06-14" })).body.data;
  const withdrawn = expectStatus(201, await record({ ...sep, type: "fi" })).body.data;
  const defect = { description: "Cracked spinner.", grounding: true };
  const reported = expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, defect)).body.data;
  const order = (await owner.get(`/maintenance/work-orders/${reported.work_order_id}`)).body.data;

  // The days after.
  installation.clock.advance(days(2));
  const later = await owner.signedInAgain();
  const newer = expectStatus(201, await later.post("/compliance/records", sep)).body.data;
  expectStatus(200, await later.post(`/compliance/records/${withdrawn.id}/withdraw`, { reason: "Wrong." }));
  expectStatus(200, await later.post(`/maintenance/work-orders/${order.id}/start`));
  expectStatus(200, await later.patch(`/maintenance/work-orders/${order.id}`, { findings }));
  expectStatus(200, await later.post(`/maintenance/work-orders/${order.id}/complete`, release));

  const request = async (as_of?: string) => {
    const { id } = expectStatus(202, await later.post("/evidence-packs", { type: "compliance_pack", as_of })).body.data;
    const pack = await getPack(later, id);
    expect(pack).toMatchObject({ status: "ready", failure: null });
    return { pack, zip: await contentOf(school, later, id) };
  };
  const then = await request("2026-06-14");
  expect(then.pack).toMatchObject({
    person_id: null,
    as_of: "2026-06-14",
    period_from: "2026-06-14",
    period_to: "2026-06-14",
  });
  expect(jsonIn(then.zip, "manifest.json").subject).toMatchObject({ kind: "organization", id: owner.orgId });
  const person = byId(jsonIn(then.zip, "people.json"), student.personId);
  expect(person).toMatchObject({ name: "Sam Student", compliance: { status: "expiring" } });
  expect(person).not.toHaveProperty("email");
  expect(byId(jsonIn(then.zip, "aircraft.json"), aircraftId)).toMatchObject({
    registration: "D-EABC",
    groundings: [{ kind: "defect", note: "Defect: Cracked spinner." }],
  });
  expect(jsonIn(then.zip, "records.json").map(({ id }: Body) => id)).toEqual([old.id, withdrawn.id].sort());
  expect(jsonIn(then.zip, "defects.json")).toMatchObject([{ id: reported.id }]);
  expect(jsonIn(then.zip, "work_orders.json")).toMatchObject([{ id: order.id, completed_at: null, release: null }]);
  expect(() => jsonIn(then.zip, "maintenance_items.json")).toThrow();

  const now = await request();
  expect(now.pack.as_of).toBe("2026-06-16");
  expect(byId(jsonIn(now.zip, "people.json"), student.personId).compliance.status).toBe("compliant");
  expect(byId(jsonIn(now.zip, "aircraft.json"), aircraftId).groundings).toEqual([]);
  expect(jsonIn(now.zip, "records.json").map(({ id }: Body) => id)).toEqual([newer.id]);
  expect(jsonIn(now.zip, "defects.json")).toEqual([]);
  expect(jsonIn(now.zip, "work_orders.json")).toMatchObject([
    { id: order.id, release: { ...release, person_id: null } },
  ]);
  expect(jsonIn(now.zip, "maintenance_items.json")).toEqual([]);
  // Another day is another subject.
  const again = await request("2026-06-14");
  const superseded = await Promise.all(
    [then, now, again].map(async ({ pack }) => (await getPack(later, pack.id)).superseded_by),
  );
  expect(superseded).toEqual([again.pack.id, null, null]);
});

test("a compliance pack of an earlier day has who and what was there, as it was", async () => {
  const school = await newOwnSchool();
  const { owner, student, aircraftId, installation, orgId } = school;
  const { id: stays } = expectStatus(201, await owner.post("/people", { name: "Ada Stays", types: ["pilot"] })).body
    .data;
  const { id: leaves } = expectStatus(201, await owner.post("/people", { name: "Bo Leaves", types: ["pilot"] })).body
    .data;
  expectStatus(200, await owner.patch(`/people/${stays}`, { status: "archived" }));
  const fleet = { registration: "D-EOLD", model: "Cessna 150", class: "SEP" };
  const old = expectStatus(201, await owner.post("/aircraft", fleet)).body.data;
  const defect = { description: "Cracked spinner.", grounding: false };
  const reported = expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, defect)).body.data;
  const order = `/maintenance/work-orders/${reported.work_order_id}`;
  expectStatus(200, await owner.patch(order, { findings: "Spinner." }));
  const arc = { aircraft_id: aircraftId, type: "arc", issued_on: "2026-01-01", valid_until: "2026-12-31" };
  const record = expectStatus(201, await owner.post("/compliance/records", arc)).body.data;
  const upload = `/orgs/${orgId}/compliance/records/${record.id}/attachments?filename=arc.pdf`;
  const file = expectStatus(201, await owner.call("POST", upload, { body: pdf() })).body.data;

  installation.clock.advance(days(2));
  const later = await owner.signedInAgain();
  expectStatus(200, await later.patch(`/people/${stays}`, { status: "active" }));
  expectStatus(200, await later.patch(`/people/${leaves}`, { status: "archived" }));
  expectStatus(200, await later.patch(`/aircraft/${old.id}`, { status: "archived" }));
  const until = { reason: "Cosmetic.", until: "2026-07-01" };
  expectStatus(200, await later.post(`/aircraft/${aircraftId}/defects/${reported.id}/defer`, until));
  expectStatus(200, await later.post(`${order}/start`));
  const hours = [{ person_id: stays, worked_on: "2026-06-15", minutes: 60 }];
  expectStatus(200, await later.patch(order, { findings: "Spinner and hub.", hours }));

  const pack = async (as_of: string) => {
    const { id } = await issue(later, { type: "compliance_pack", as_of });
    return contentOf(school, later, id);
  };
  const then = await pack("2026-06-14");
  const now = await pack("2026-06-16");
  const people = (zip: Buffer) => [stays, leaves].map((id) => byId(jsonIn(zip, "people.json"), id) !== undefined);
  expect([people(then), people(now)]).toEqual([
    [false, true],
    [true, false],
  ]);
  expect(byId(jsonIn(then, "people.json"), student.personId)).toBeDefined();
  const [earlier, present] = [then, now].map((zip) => byId(jsonIn(zip, "aircraft.json"), old.id));
  expect([earlier?.registration, present]).toEqual(["D-EOLD", undefined]);
  expect(jsonIn(then, "defects.json")).toMatchObject([{ deferral_reason: null, deferred_until: null }]);
  expect(jsonIn(now, "defects.json")).toMatchObject([{ deferral_reason: "Cosmetic.", deferred_until: "2026-07-01" }]);
  expect(jsonIn(then, "work_orders.json")).toMatchObject([
    { started_at: null, findings: "Spinner.", worked_minutes: 0, hours: [] },
  ]);
  expect(jsonIn(now, "work_orders.json")).toMatchObject([{ findings: "Spinner and hub.", worked_minutes: 60, hours }]);
  expect(jsonIn(then, "state.json")).toMatchObject({
    as_of: "2026-06-14",
    built_at: "2026-06-16T09:00:00.000Z",
    as_built: { requirements: "all", people: ["name", "types", "ratings", "licence_number", "licence_authority"] },
  });
  expect(jsonIn(then, "attachments.json")).toMatchObject([{ id: file.id, record_id: record.id, sha256: file.sha256 }]);

  // What the audit log does not know is left out.
  await installation.storage.tenants
    .tenant(orgId as OrgId)
    .write((tx) => tx.run(sql`update audit_log set payload = null where subject_kind in ('work_order', 'defect')`));
  const unknown = await pack("2026-06-14");
  expect(jsonIn(unknown, "work_orders.json")[0]).not.toHaveProperty("findings");
  expect(jsonIn(unknown, "work_orders.json")).toMatchObject([{ started_at: null, completed_at: null }]);
  expect(jsonIn(unknown, "defects.json")[0]).not.toHaveProperty("deferred_until");
});

test("what happens at midnight belongs to the day after", async () => {
  const school = await newOwnSchool();
  const { aircraftId, installation, orgId } = school;
  const plane = { registration: "D-ENEW", model: "Cessna 150", class: "SEP" };
  const grounded = expectStatus(201, await school.owner.post("/aircraft", { ...plane, registration: "D-EGND" })).body
    .data;
  const { groundings } = expectStatus(
    200,
    await school.owner.post(`/aircraft/${grounded.id}/ground`, { reason: "Smells of fuel." }),
  ).body.data;
  const title = { aircraft_id: aircraftId, title: "Oil change" };
  const { id } = expectStatus(201, await school.owner.post("/maintenance/work-orders", title)).body.data;
  const order = `/maintenance/work-orders/${id}`;
  const arc = { aircraft_id: aircraftId, type: "arc", issued_on: "2026-01-01", valid_until: "2026-12-31" };
  const record = expectStatus(201, await school.owner.post("/compliance/records", arc)).body.data;

  installation.clock.advance(hours(13));
  const owner = await school.owner.signedInAgain();
  expectStatus(200, await owner.post(`/aircraft/${grounded.id}/groundings/${groundings[0].id}/lift`));
  expectStatus(200, await owner.post(`${order}/start`));
  expectStatus(200, await owner.patch(order, { findings: "Metal in the filter." }));
  expectStatus(200, await owner.post(`${order}/complete`, release));
  const defect = { description: "Cracked spinner.", grounding: true };
  expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, defect));
  const upload = `/orgs/${orgId}/compliance/records/${record.id}/attachments?filename=arc.pdf`;
  expectStatus(201, await owner.call("POST", upload, { body: pdf() }));
  const person = expectStatus(201, await owner.post("/people", { name: "Ada New", types: ["pilot"] })).body.data;
  const added = expectStatus(201, await owner.post("/aircraft", plane)).body.data;
  const sep = { person_id: school.student.personId, type: "sep", issued_on: "2026-06-01", valid_until: "2027-06-30" };
  expectStatus(201, await owner.post("/compliance/records", sep));

  const pack = await issue(owner, { type: "compliance_pack", as_of: "2026-06-14" });
  const zip = await contentOf(school, owner, pack.id);
  expect(jsonIn(zip, "work_orders.json")).toMatchObject([{ id, started_at: null, completed_at: null, findings: null }]);
  expect(jsonIn(zip, "defects.json")).toEqual([]);
  expect(jsonIn(zip, "attachments.json")).toEqual([]);
  expect(jsonIn(zip, "records.json").map((row: Body) => row.id)).toEqual([record.id]);
  expect(byId(jsonIn(zip, "people.json"), person.id)).toBeUndefined();
  expect(byId(jsonIn(zip, "aircraft.json"), added.id)).toBeUndefined();
  expect(byId(jsonIn(zip, "aircraft.json"), aircraftId).groundings).toEqual([]);
  expect(byId(jsonIn(zip, "aircraft.json"), grounded.id).groundings).toMatchObject([{ note: "Smells of fuel." }]);
});

test("each part of a compliance pack has the oldest first", async () => {
  const school = await newOwnSchool();
  const { owner, aircraftId, installation } = school;
  const added = async (path: string, body: object) => expectStatus(201, await owner.post(path, body)).body.data.id;
  const made: Record<string, string[]> = {
    aircraft: [aircraftId],
    people: [],
    work_orders: [],
    defects: [],
    records: [],
  };
  for (const at of [1, 2, 3]) {
    installation.clock.advance(1);
    const defect = { description: `Scratch ${at}.`, grounding: false };
    const plane = { registration: `D-EZZ${"CBA"[at - 1]}`, model: "Cessna 150", class: "SEP" };
    const arc = { aircraft_id: aircraftId, type: "arc", issued_on: `2026-0${4 - at}-01`, valid_until: "2026-12-31" };
    made.aircraft?.push(await added("/aircraft", plane));
    made.people?.push(await added("/people", { name: `${"CBA"[at - 1]} Person`, types: ["pilot"] }));
    made.work_orders?.push(
      await added("/maintenance/work-orders", { aircraft_id: aircraftId, title: `Work ${4 - at}` }),
    );
    made.defects?.push(await added(`/aircraft/${aircraftId}/defects`, defect));
    made.records?.push(
      await added("/compliance/records", { ...arc, type: ["arc", "insurance", "noise_certificate"][at - 1] }),
    );
  }
  const pack = await issue(owner, { type: "compliance_pack" });
  const zip = await contentOf(school, owner, pack.id);
  for (const [part, ids] of Object.entries(made)) {
    const found = jsonIn(zip, `${part}.json`).map(({ id }: Body) => id);
    expect([part, found.filter((id: string) => ids.includes(id))]).toEqual([part, ids]);
    expect([part, found]).toEqual([part, found.toSorted()]);
  }
});

test("a compliance pack is of the day where the organization is", async () => {
  const school = await newOwnSchool();
  const { owner } = school;
  expectStatus(200, await owner.call("PATCH", `/orgs/${owner.orgId}`, { body: { time_zone: "Pacific/Kiritimati" } }));
  expect((await issue(owner, { type: "compliance_pack" })).as_of).toBe("2026-06-14");
  school.installation.clock.advance(hours(2));
  const pack = await issue(await owner.signedInAgain(), { type: "compliance_pack" });
  expect(pack).toMatchObject({ as_of: "2026-06-15", status: "ready" });
});

test("a compliance pack evaluates medicals as the school does: by the classes that they cover, and without those before a withdrawn one", async () => {
  const school = await newOwnSchool();
  const { owner, student, instructor } = school;
  for (const { id } of (await owner.get("/compliance/requirements")).body.data)
    expectStatus(200, await owner.delete(`/compliance/requirements/${id}`));
  const [levels, any_of] = [["class_2"], ["medical"]];
  for (const applies_to of ["student", "instructor"])
    expectStatus(201, await owner.post("/compliance/requirements", { applies_to, any_of, levels }));
  const medical = async (person_id: string, body: object) =>
    expectStatus(201, await owner.post("/compliance/records", { person_id, type: "medical", ...body })).body.data.id;
  for (const { personId } of [student, instructor]) {
    expectStatus(200, await owner.patch(`/people/${personId}`, { date_of_birth: "1990-01-01" }));
    await medical(personId, { level: "class_1", issued_on: "2025-01-10", valid_until: "2026-01-10" });
  }
  const id = await medical(instructor.personId, { level: "lapl", issued_on: "2026-02-10", valid_until: "2031-02-10" });
  expectStatus(200, await owner.post(`/compliance/records/${id}/withdraw`, { reason: "Suspended." }));
  const pack = expectStatus(202, await owner.post("/evidence-packs", { type: "compliance_pack" })).body.data;
  expect(await getPack(owner, pack.id)).toMatchObject({ status: "ready" });
  const people = jsonIn(await contentOf(school, owner, pack.id), "people.json");
  const statusOf = ({ personId }: { personId: string }) => byId(people, personId).compliance.status;
  expect([statusOf(student), statusOf(instructor)]).toEqual(["compliant", "not_compliant"]);
});

test("work orders are in it for a year after their release, to the day", async () => {
  const school = await newOwnSchool();
  const { aircraftId, installation } = school;
  const order = { aircraft_id: aircraftId, title: "Oil change", findings };
  const { id } = expectStatus(201, await school.owner.post("/maintenance/work-orders", order)).body.data;
  expectStatus(200, await school.owner.post(`/maintenance/work-orders/${id}/start`));
  expectStatus(200, await school.owner.post(`/maintenance/work-orders/${id}/complete`, release));
  installation.clock.advance(days(366));
  const owner = await school.owner.signedInAgain();
  for (const [as_of, expected] of [
    ["2027-06-14", [id]],
    ["2027-06-15", []],
  ] as const) {
    const pack = await issue(owner, { type: "compliance_pack", as_of });
    const orders: Body[] = jsonIn(await contentOf(school, owner, pack.id), "work_orders.json");
    expect(orders.map((one) => one.id)).toEqual([...expected]);
  }
});

test.each([
  ["Europe/Berlin", 14, "2026-06-15"],
  ["America/Los_Angeles", 21, "2026-06-14"],
])("the year of a work order begins at midnight where the organization is: %s", async (time_zone, after, released) => {
  const school = await newOwnSchool();
  const { aircraftId, installation, orgId } = school;
  expectStatus(200, await school.owner.call("PATCH", `/orgs/${orgId}`, { body: { time_zone } }));
  installation.clock.advance(hours(after));
  let owner = await school.owner.signedInAgain();
  const defect = { description: `${"The landing light flickers, ".repeat(8)}at night.`, grounding: false };
  const { work_order_id: id } = expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, defect)).body
    .data;
  expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/start`));
  expectStatus(200, await owner.patch(`/maintenance/work-orders/${id}`, { findings }));
  const { release: of } = expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/complete`, release)).body
    .data;
  expect(of.on).toBe(released);
  installation.clock.advance(days(368));
  owner = await owner.signedInAgain();
  const last = Temporal.PlainDate.from(released).add({ years: 1 });
  for (const [as_of, expected] of [
    [last, [id]],
    [last.add({ days: 1 }), []],
  ] as const) {
    const { id: packId } = await issue(owner, { type: "compliance_pack", as_of: as_of.toString() });
    const zip = await contentOf(school, owner, packId);
    expect(jsonIn(zip, "work_orders.json").map((one: Body) => one.id)).toEqual([...expected]);
    const pages = await pdfText(new Uint8Array(filesIn(zip)["pack.pdf"] ?? []).buffer);
    expect(pages.join(" ").replaceAll(/\s+/gu, " ").includes("flickers, at night.")).toBe(expected.length > 0);
  }
});
