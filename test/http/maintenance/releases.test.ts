/** What a release to service has to say (ML.A.801): what was done, by which data, who certifies it, and under which approval. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { isId } from "../../../src/core/ids.ts";
import { maintenancePersonal } from "../../../src/modules/maintenance/maintenance.personal.ts";
import { findings, release } from "../../support/release.ts";
import { expectStatus, newSchool, type School } from "../../support/school.ts";
import { addItem, itemOf, tenantOf } from "./maintaining.ts";

const { by: _, ...unsigned } = release;

/** A work order that is begun. */
async function begun({ owner, aircraftId }: School, body: object = { findings }): Promise<string> {
  const order = { aircraft_id: aircraftId, title: "Work", ...body };
  const { id } = expectStatus(201, await owner.post("/maintenance/work-orders", order)).body.data;
  expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/start`));
  return `/maintenance/work-orders/${id}`;
}

const issues = async ({ owner }: School, order: string, body: object) =>
  expectStatus(400, await owner.post(`${order}/complete`, body)).body.issues.map(
    ({ path, code }: { path: string; code: string }) => `${path} ${code}`,
  );

const refused = async ({ owner }: School, order: string, body: object) =>
  expectStatus(409, await owner.post(`${order}/complete`, body)).body.error;

const under = (kind: string, reference?: string) => ({ ...release, approval: { kind, reference } });

test("a release names the approval with its number, the maintenance data and a person of the school", async () => {
  const school = await newSchool();
  const mechanic = await school.join(["mechanic"], "Mia Mechanic");
  const { id: person_id } = expectStatus(
    201,
    await school.owner.post("/people", { name: "Mia Mechanic", types: ["mechanic"], licence_number: null }),
  ).body.data;
  const item = await addItem(school, { interval_months: 12 });
  const order = await begun(school, { item_ids: [item.id] });

  const done = expectStatus(200, await mechanic.post(`${order}/complete`, { ...unsigned, person_id })).body.data;

  const said = { ...release, by: "Mia Mechanic", person_id };
  expect(done.release).toMatchObject(said);
  expect(await itemOf(school, item)).toMatchObject({ last_done_by: "Mia Mechanic" });
  const key = await school.apiKey("public.maintenance:read");
  expect((await school.publicGet(order, key)).body.data.release).toMatchObject(said);
});

test("one who is no person of the school signs by name; the approval of no organization has no number", async () => {
  const school = await newSchool();
  for (const kind of ["independent", "pilot_owner"]) {
    const done = await school.owner.post(`${await begun(school)}/complete`, under(kind));
    expect(expectStatus(200, done).body.data.release).toMatchObject({
      ...{ by: "Max Mechanic", person_id: null },
      approval: { kind, reference: null },
    });
  }
  const part145 = await school.owner.post(`${await begun(school)}/complete`, under("part_145", "DE.145.0042"));
  expect(expectStatus(200, part145).body.data.release.approval).toEqual({ kind: "part_145", reference: "DE.145.0042" });
});

test("a release without what it has to say is refused, field by field", async () => {
  const school = await newSchool();
  const order = await begun(school);
  const without = (name: keyof typeof release) => ({ ...release, [name]: undefined });
  expect(await issues(school, order, without("approval"))).toEqual(["body.approval required"]);
  expect(await issues(school, order, without("maintenance_data"))).toEqual(["body.maintenance_data required"]);
  expect(await issues(school, order, without("licence_number"))).toEqual(["body.licence_number required"]);
  expect(await issues(school, order, under("by_myself"))).toEqual(["body.approval.kind invalid_value"]);
  for (const kind of ["cao", "part_145"])
    expect(await issues(school, order, under(kind))).toEqual(["body.approval.reference missing"]);
  for (const kind of ["independent", "pilot_owner"])
    expect(await issues(school, order, under(kind, "DE.CAO.1"))).toEqual(["body.approval.reference not_allowed"]);
  expect((await school.owner.get(order)).body.data).toMatchObject({ status: "in_progress", release: null });
});

test("a release is signed by a person of the school or by a name, and not by both, a stranger or an archived person", async () => {
  const school = await newSchool();
  const order = await begun(school);
  const { personId } = school.student;
  expect(await issues(school, order, unsigned)).toEqual(["body one_needed"]);
  expect(await issues(school, order, { ...release, person_id: personId })).toEqual(["body not_both"]);
  expect(await issues(school, order, { ...unsigned, person_id: school.aircraftId })).toEqual([
    "body.person_id unknown",
  ]);
  expectStatus(200, await school.owner.patch(`/people/${personId}`, { status: "archived" }));
  expect(await refused(school, order, { ...unsigned, person_id: personId })).toMatchObject({
    reason: "person_archived",
  });
});

test("a release says what was done: a work order without items and findings is not released", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const defect = { description: "Left brake drags.", grounding: true };
  const { work_order_id: id } = expectStatus(201, await owner.post(`/aircraft/${aircraftId}/defects`, defect)).body
    .data;
  const order = `/maintenance/work-orders/${id}`;
  expectStatus(200, await owner.post(`${order}/start`));

  expect(await refused(school, order, release)).toMatchObject({ reason: "nothing_done" });
  expect(await school.aircraft()).toMatchObject({ status: "grounded" });

  expectStatus(200, await owner.patch(order, { findings: "Brake linings replaced." }));
  expectStatus(200, await owner.post(`${order}/complete`, release));
  expect(await school.aircraft()).toMatchObject({ status: "available" });
});

test("a pilot-owner releases no critical item, and no aircraft that is too heavy for Part-ML", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const oil = await addItem(school, { name: "Oil", interval_months: 6 });
  const annual = await addItem(school, {
    ...{ name: "Annual", critical: true },
    ...{ interval_months: 12, last_done_on: "2024-01-10" },
  });
  const both = await begun(school, { item_ids: [oil.id, annual.id] });
  const critical = await refused(school, both, under("pilot_owner"));
  expect(critical.reason).toBe("pilot_owner_may_not");
  expect(critical.message).toContain('"Annual"');
  expect((await school.aircraft()).status).toBe("grounded");
  expectStatus(200, await owner.post(`${both}/complete`, under("independent")));

  const order = await begun(school, { item_ids: [oil.id] });
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { mtom_kg: 2731 }));
  expect(await refused(school, order, under("pilot_owner"))).toMatchObject({ reason: "pilot_owner_may_not" });
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { mtom_kg: 2730 }));
  expectStatus(200, await owner.post(`${order}/complete`, under("pilot_owner")));
});

test("a release of an older version, which did not ask, shows null", async () => {
  const school = await newSchool();
  const order = await begun(school);
  expectStatus(200, await school.owner.post(`${order}/complete`, release));
  await tenantOf(school).write((tx) =>
    tx.run(sql`update work_orders set release_approval = null, release_approval_reference = null,
      release_maintenance_data = null, release_person_id = null`),
  );
  expect((await school.owner.get(order)).body.data.release).toMatchObject({
    ...{ by: "Max Mechanic", licence_number: "DE.66.4711" },
    ...{ approval: null, maintenance_data: null, person_id: null },
  });
});

test("the export of a person has the releases that they certified; the erasure leaves the signature", async () => {
  const school = await newSchool();
  const added = await school.owner.post("/people", { name: "Mia Mechanic", types: ["mechanic"] });
  const { id: personId } = expectStatus(201, added).body.data;
  const order = await begun(school);
  expectStatus(200, await school.owner.post(`${await begun(school)}/complete`, release));
  expectStatus(200, await school.owner.post(`${order}/complete`, { ...unsigned, person_id: personId }));
  if (!isId<"person">(personId)) throw new Error("A person has an id.");
  const list = maintenancePersonal.lists.maintenance_releases?.(tenantOf(school), {
    ...{ personId, names: [], emails: [], userIds: [] },
  });
  const found: unknown[] = [];
  for await (const one of list ?? []) found.push(one);
  expect(found).toMatchObject([{ title: "Work", release: { by: "Mia Mechanic", person_id: personId } }]);

  expectStatus(200, await school.owner.post(`/people/${personId}/erase`));
  expect((await school.owner.get(order)).body.data.release).toMatchObject({ by: "Mia Mechanic", person_id: personId });
});
