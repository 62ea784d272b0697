/** What people pay for their training, how they are charged, and what is kept about them. */
import { expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { days } from "../../../src/core/clock.ts";
import { newInstallation } from "../../support/installation.ts";
import { newSellingSchool } from "../../support/money.ts";
import { expectStatus, newOwnSchool, newSchool } from "../../support/school.ts";
import { newTrainingSchool } from "../training/school.ts";
import { addRate, previewOf } from "./school.ts";

const enrollment = { started_on: "2026-03-01" };

test("enrolling raises the fee of the program once, and a withdrawal does not give it back", async () => {
  const school = await newTrainingSchool();
  const { owner, student, revision } = school;
  await addRate(school, { kind: "program", price_minor: 45_000, program_id: revision.program_id });
  await addRate(school, { kind: "program", price_minor: 75_000 });
  const body = { student_id: student.personId, revision_id: revision.id, ...enrollment };
  const { id } = expectStatus(201, await owner.post("/training/enrollments", body)).body.data;
  const charges = async () => (await owner.get(`/finance/charges?person_id=${student.personId}`)).body.data;
  const fee = { kind: "program", enrollment_id: id, net_minor: 45_000, on: "2026-03-01", description: "Small" };
  expect(await charges()).toMatchObject([fee]);
  expectStatus(200, await owner.post(`/training/enrollments/${id}/withdraw`, { reason: "Moves away." }));
  expect(await charges()).toMatchObject([{ ...fee, status: "open" }]);
});

test("without a rate of that day, or where the money is disabled, a program is free", async () => {
  const installation = await newInstallation({ env: { WINDSOCK_DISABLE: "finance" } });
  for (const school of [await newTrainingSchool(), await newTrainingSchool(undefined, installation)]) {
    const { owner, student, revision } = school;
    if (school.installation !== installation)
      await addRate(school, { kind: "program", price_minor: 45_000, valid_from: "2026-03-02" });
    const body = { student_id: student.personId, revision_id: revision.id, ...enrollment };
    expectStatus(201, await owner.post("/training/enrollments", body));
    if (school.installation !== installation)
      expect((await owner.get(`/finance/charges?person_id=${student.personId}`)).body.data).toEqual([]);
  }
});

test("a person pays as a student, a member or a guest, or as is stated", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const person = { name: "Gina Guest", types: ["pilot"] };
  const { id: guest } = expectStatus(201, await owner.post("/people", person)).body.data;
  const paysAs = async (id: string) => (await owner.get(`/finance/customers/${id}`)).body.data.pays_as;
  expect([await paysAs(student.personId), await paysAs(owner.personId), await paysAs(guest)]).toEqual([
    ...["student", "member", "guest"],
  ]);
  await addRate(school, { audience: "student", price_minor: 20_000 });
  await addRate(school, { audience: "member", price_minor: 21_000 });
  const { id } = await school.draftFlight(student, { blockMinutes: 60 });
  expect((await previewOf(school, id)).net_minor).toBe(20_000);
  const stated = await owner.patch(`/finance/customers/${student.personId}`, {
    audience: "member",
    company: "Berg AG",
  });
  expect(expectStatus(200, stated).body.data).toMatchObject({
    pays_as: "member",
    audience: "member",
    company: "Berg AG",
  });
  expect((await previewOf(school, id)).net_minor).toBe(21_000);
  expectStatus(200, await owner.patch(`/finance/customers/${student.personId}`, { audience: null }));
  expect((await owner.get(`/finance/customers/${student.personId}`)).body.data).toMatchObject({
    ...{ pays_as: "student", company: "Berg AG" },
  });
});

test("charges are exported, and keep the person until ten years after the end of the year", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const { owner, orgId } = school;
  const person = { name: "Ada Gone", types: ["pilot"], email: "ada.gone@example.com" };
  const { id } = expectStatus(201, await owner.post("/people", person)).body.data;
  const headset = { person_id: id, quantity: "1.00", unit: "piece", unit_price_minor: 1500, on: "2026-03-01" };
  const added = await owner.post("/finance/charges", { ...headset, description: "Headset for Ada Gone" });
  const charge = expectStatus(201, added).body.data;
  expectStatus(200, await owner.patch(`/finance/customers/${id}`, { company: "Gone GmbH" }));

  const request = new Request(`http://localhost/orgs/${orgId}/people/${id}/export`, {
    headers: { authorization: `Bearer ${owner.token}` },
  });
  const zip = await (await installation.app.fetch(request)).arrayBuffer();
  const text = Buffer.from(unzipSync(new Uint8Array(zip))["person.json"] ?? []).toString();
  for (const part of [charge.id, "Gone GmbH", "packages_of_hours"]) expect(text).toContain(part);

  const { error } = expectStatus(409, await owner.post(`/people/${id}/erase`)).body;
  expect(error.message).toContain("2036-12-31");
  expect(error.message).toContain("§ 147 AO");
});

test("an export has the newest of each kind of money first", async () => {
  const school = await newSellingSchool(await newInstallation());
  const { installation, owner, student, orgId } = school;
  const person_id = student.personId;
  const sale = { description: "Headset", quantity: "1.00", unit: "piece", unit_price_minor: 1500 };
  const hours = {
    name: "2 hours",
    uses: "aircraft",
    quantity: "120.00",
    price_minor: 40_000,
    valid_from: "2026-01-01",
  };
  const newestFirst: Record<string, string[]> = {
    charges: [],
    payments: [],
    packages_of_hours: [],
    own_rates: [],
    invoices: [],
  };
  const post = async (kind: string, path: string, body: object) =>
    newestFirst[kind]?.unshift(
      expectStatus(201, await owner.post(`/finance/${path}`, { person_id, ...body })).body.data.id,
    );
  for (const on of ["2026-03-01", "2026-04-01", "2026-05-01"]) {
    installation.clock.advance(1);
    await post("charges", "charges", { ...sale, on });
    await post("payments", "payments", { amount_minor: 100, method: "cash", received_on: on });
    await post("invoices", "invoices", { lines: [sale] });
    await post("packages_of_hours", "packages", hours);
    newestFirst.own_rates?.unshift(await addRate(school, { person_id, valid_from: on, valid_until: on }));
  }
  for (const id of newestFirst.invoices?.toReversed() ?? []) {
    expectStatus(200, await owner.post(`/finance/invoices/${id}/send`));
    installation.clock.advance(days(1));
    Object.assign(owner, await owner.signedInAgain());
  }
  const request = new Request(`http://localhost/orgs/${orgId}/people/${person_id}/export`, {
    headers: { authorization: `Bearer ${owner.token}` },
  });
  const zip = await (await installation.app.fetch(request)).arrayBuffer();
  const all = JSON.parse(Buffer.from(unzipSync(new Uint8Array(zip))["person.json"] ?? []).toString());
  for (const [kind, ids] of Object.entries(newestFirst)) {
    const found = all[kind].map(({ id }: { id: string }) => id);
    expect([kind, found.filter((id: string) => ids.includes(id))]).toEqual([kind, ids]);
  }
});

test("a payment alone keeps a person, too", async () => {
  const { owner } = await newSchool();
  const { id } = expectStatus(201, await owner.post("/people", { name: "Paul Payer", types: ["pilot"] })).body.data;
  const payment = { person_id: id, amount_minor: 100, method: "cash", received_on: "2026-02-01" };
  expectStatus(201, await owner.post("/finance/payments", payment));
  expect(expectStatus(409, await owner.post(`/people/${id}/erase`)).body.error.message).toContain("2036-12-31");
});

test("an erased person is no customer any more, and in no text of a rate", async () => {
  const school = await newSchool();
  const { owner } = school;
  const { id } = expectStatus(201, await owner.post("/people", { name: "Rita Rated", types: ["pilot"] })).body.data;
  const rate = await addRate(school, { person_id: id, description: "For Rita Rated" });
  expectStatus(200, await owner.patch(`/finance/customers/${id}`, { company: "Rated GmbH" }));
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  expect((await owner.get(`/finance/rates/${rate}`)).body.data.description).not.toContain("Rita");
  const customer = await owner.get(`/finance/customers/${id}`);
  expect(JSON.stringify(customer.body)).not.toContain("Rated");
});
