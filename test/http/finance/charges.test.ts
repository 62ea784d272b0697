import { expect, test } from "bun:test";
import { newInstallation } from "../../support/installation.ts";
import { newSellingSchool } from "../../support/money.ts";
import { csv, expectStatus, newSchool, statuses, times } from "../../support/school.ts";
import { addRate, approvedFlight, billingOf, dual, openOf, previewOf, usualRates } from "./school.ts";

const byAmount = (a: { net_minor: number }, b: { net_minor: number }) => a.net_minor - b.net_minor;

const map = { description: "Map", quantity: "1.00", unit: "piece", unit_price_minor: 1 };

test("approving a flight charges what its preview said, to the student", async () => {
  const school = await newSchool();
  await usualRates(school);
  const { id } = await school.submitFlight(school.student, { body: { ...dual(school), day_landings: 3 } });

  const preview = await previewOf(school, id);
  expect(preview).toMatchObject({ payer_id: school.student.personId, missing: [], currency: "EUR" });
  // 62 minutes of 225.00 and of 50.00 an hour, and three landings; 19 % of their sum is rounded.
  expect(preview).toMatchObject({ net_minor: 30_517, vat_minor: 5798, gross_minor: 36_315 });
  expectStatus(200, await school.owner.post(`/flights/${id}/approve`));

  const { status, payer_id, charges } = await billingOf(school, id);
  expect({ status, payer_id }).toEqual({ status: "charged", payer_id: school.student.personId });
  expect(charges).toMatchObject([
    { kind: "aircraft", quantity: "62.00", unit: "minute", price_per: 60, unit_price_minor: 22_500, net_minor: 23_250 },
    {
      kind: "instructor",
      quantity: "62.00",
      unit: "minute",
      net_minor: 5167,
      description: "Instructor Ines Instructor",
    },
    { kind: "landing", quantity: "3.00", unit: "landing", net_minor: 2100, vat_rate: "19.00", status: "open" },
  ]);
  expect(preview.lines.map(({ net_minor }: { net_minor: number }) => net_minor)).toEqual([23_250, 5167, 2100]);
  expect((await school.owner.get("/audit-log?subject_kind=finance_flight")).body.data[0].action).toBe(
    "finance_flight.charged",
  );
});

test("a flight is charged once, however many approvals race", async () => {
  const school = await newSchool();
  await usualRates(school);
  const { id } = await school.submitFlight(school.student);
  const answers = await Promise.all(times(32, () => school.owner.post(`/flights/${id}/approve`)));
  expect(statuses(answers)).toEqual([200, ...times(31, () => 409)]);
  expect((await billingOf(school, id)).charges).toHaveLength(2);
});

test("a reversal takes the charges of the flight back by opposite entries", async () => {
  const school = await newSchool();
  await usualRates(school);
  const id = await approvedFlight(school);
  expectStatus(200, await school.owner.post(`/flights/${id}/reverse`, { reason: "Wrong aircraft." }));

  const { status, charges } = await billingOf(school, id);
  expect(status).toBe("reversed");
  expect(charges).toHaveLength(4);
  for (const { status } of charges) expect(status).toBe("offset");
  const [aircraft] = charges;
  expect(charges.find((one: { reverses_id: string }) => one.reverses_id === aircraft.id)).toMatchObject({
    quantity: "-62.00",
    net_minor: -23_250,
    reason: "The flight was reversed.",
  });
  expect((await school.owner.get("/finance/charges?status=open")).body.data).toEqual([]);
  expect(statuses([await school.owner.post(`/finance/flights/${id}/charge`)])).toEqual([409]);
});

test("without any rate nothing is charged, and no flight is unbilled", async () => {
  const school = await newSchool();
  const id = await approvedFlight(school);
  expect(await billingOf(school, id)).toMatchObject({ status: "free", charges: [] });
  expect((await school.owner.get("/finance/unbilled-flights")).body.data).toEqual([]);
});

test("what can't be charged is listed with what is missing, and is charged once it is there", async () => {
  const school = await newSchool();
  await addRate(school, { aircraft_id: school.aircraftId });
  const id = await approvedFlight(school, { body: dual(school) });

  const unbilled = async () => (await school.owner.get("/finance/unbilled-flights")).body.data;
  expect(await unbilled()).toMatchObject([{ flight_id: id, missing: ["instructor_rate"], registration: "D-EABC" }]);
  expect(await openOf(school, id)).toEqual([["aircraft", 23_250]]);

  await addRate(school, { kind: "instructor", price_minor: 5000 });
  const charged = expectStatus(200, await school.owner.post(`/finance/flights/${id}/charge`)).body.data;
  expect(charged).toMatchObject({ status: "charged", missing: [] });
  expect(await unbilled()).toEqual([]);
  expect(await openOf(school, id)).toEqual([
    ["aircraft", 23_250],
    ["instructor", 5167],
  ]);
});

test("an aircraft billed by its Hobbs meter: each tenth of an hour is six minutes exactly, and a missing reading is named", async () => {
  const school = await newSchool();
  await addRate(school, { aircraft_id: school.aircraftId });
  expectStatus(200, await school.owner.patch(`/aircraft/${school.aircraftId}`, { billing_basis: "hobbs" }));

  for (const tenths of [1, 3, 7, 11]) {
    const hobbs_end = `${(1234.5 + tenths / 10).toFixed(1)}0`;
    const { id } = await school.draftFlight(school.student, { body: { hobbs_start: "1234.50", hobbs_end } });
    const { lines } = await previewOf(school, id);
    expect(lines).toMatchObject([{ quantity: `${tenths * 6}.00`, net_minor: tenths * 2250 }]);
  }
  const { id } = await school.draftFlight(school.student);
  expect(await previewOf(school, id)).toMatchObject({ lines: [], missing: ["counter_reading"], gross_minor: 0 });
});

test("a dry rate charges the fuel that was taken on, a wet one does not; the surcharge comes on top", async () => {
  const school = await newSchool();
  const rate = await addRate(school, { aircraft_id: school.aircraftId, fuel: "dry", price_minor: 12_000 });
  await addRate(school, { kind: "fuel_surcharge", price_minor: 1000 });
  const body = { fuel_uplift_litres: "40.50" };
  const { id } = await school.draftFlight(school.student, { blockMinutes: 60, body });
  const kinds = async () => {
    const { lines, missing } = await previewOf(school, id);
    return [lines.map((line: { kind: string; net_minor: number }) => [line.kind, line.net_minor]), missing];
  };
  const both = [
    ["aircraft", 12_000],
    ["fuel_surcharge", 1000],
  ];
  expect(await kinds()).toEqual([both, ["fuel_rate"]]);
  await addRate(school, { kind: "fuel", price_minor: 250 });
  expect(await kinds()).toEqual([[...both, ["fuel", 10_125]], []]);
  expectStatus(200, await school.owner.delete(`/finance/rates/${rate}`));
  await addRate(school, { aircraft_id: school.aircraftId, price_minor: 12_000 });
  expect(await kinds()).toEqual([both, []]);
});

test("nobody pays a ferry flight, unless a member names somebody", async () => {
  const school = await newSchool();
  await usualRates(school);
  const id = await approvedFlight(school, { body: { nature: "ferry" } });
  expect(await billingOf(school, id)).toMatchObject({ status: "free", payer_id: null, charges: [] });

  const named = await school.owner.patch(`/finance/flights/${id}`, { payer_id: school.owner.personId });
  expect(expectStatus(200, named).body.data).toMatchObject({ status: "charged", payer_id: school.owner.personId });
  expect(await openOf(school, id)).toHaveLength(2);
});

test("a payer named before the approval pays, and one named afterwards pays instead", async () => {
  const school = await newSchool();
  await usualRates(school);
  const { id } = await school.submitFlight(school.student);
  const { owner, instructor, student } = school;
  expectStatus(200, await owner.patch(`/finance/flights/${id}`, { payer_id: owner.personId }));
  expect(await previewOf(school, id)).toMatchObject({ payer_id: owner.personId });
  expectStatus(200, await owner.post(`/flights/${id}/approve`));
  expect((await owner.get(`/finance/charges?person_id=${owner.personId}`)).body.data).toHaveLength(2);

  expectStatus(200, await owner.patch(`/finance/flights/${id}`, { payer_id: instructor.personId }));
  const sumOf = async (person: string) =>
    (await owner.get(`/finance/charges?person_id=${person}`)).body.data.reduce(
      (sum: number, { net_minor }: { net_minor: number }) => sum + net_minor,
      0,
    );
  expect([await sumOf(owner.personId), await sumOf(instructor.personId)]).toEqual([0, 23_950]);
  expectStatus(200, await owner.patch(`/finance/flights/${id}`, { payer_id: null }));
  expect((await billingOf(school, id)).payer_id).toBe(student.personId);
});

test("a waived flight costs nothing, until it is charged again", async () => {
  const school = await newSchool();
  await usualRates(school);
  const id = await approvedFlight(school);
  const waived = await school.owner.post(`/finance/flights/${id}/waive`, { reason: "A prize." });
  expect(expectStatus(200, waived).body.data).toMatchObject({ status: "waived", reason: "A prize." });
  expect(await openOf(school, id)).toEqual([]);
  expectStatus(200, await school.owner.post(`/finance/flights/${id}/charge`));
  expect(await openOf(school, id)).toHaveLength(2);
});

test("the rate of the day of on-block counts, where the school is: around midnight and at a clock change", async () => {
  const school = await newSchool();
  await addRate(school, { price_minor: 6000, valid_until: "2026-03-28" });
  await addRate(school, { price_minor: 12_000, valid_from: "2026-03-29", valid_until: "2026-03-29" });
  await addRate(school, { price_minor: 18_000, valid_from: "2026-03-30" });
  const netAt = async (on_block_at: string) => {
    const off_block_at = new Date(Date.parse(on_block_at) - 3_600_000).toISOString();
    const { id } = await school.draftFlight(school.student, { body: { off_block_at, on_block_at } });
    return (await previewOf(school, id)).net_minor;
  };
  // Berlin is an hour ahead of UTC until 2026-03-29T01:00Z, then two.
  expect(await netAt("2026-03-28T22:59:59Z")).toBe(6000);
  expect(await netAt("2026-03-28T23:00:00Z")).toBe(12_000);
  expect(await netAt("2026-03-29T01:30:00Z")).toBe(12_000);
  expect(await netAt("2026-03-29T21:59:59Z")).toBe(12_000);
  expect(await netAt("2026-03-29T22:00:00Z")).toBe(18_000);
});

test("a rate in another currency than the organization's is not used", async () => {
  const school = await newSchool();
  await addRate(school, { aircraft_id: school.aircraftId });
  expectStatus(200, await school.owner.patch("", { currency: "CHF" }));
  const { id } = await school.draftFlight(school.student);
  expect(await previewOf(school, id)).toMatchObject({ currency: "CHF", lines: [], missing: ["aircraft_rate"] });
});

test("an imported flight raises nothing", async () => {
  const school = await newSchool();
  await usualRates(school);
  const lines = `date,off_block,on_block,registration,departure,arrival,solo\n2026-03-01,09:00,10:00,D-EABC,EDFE,EDFE,${school.student.email}`;
  const path = `/orgs/${school.orgId}/flights/import`;
  expectStatus(200, await school.owner.call("POST", path, { body: csv(lines) }));
  const [{ id, imported }] = (await school.owner.get("/flights")).body.data;
  expect(imported).toBe(true);
  expect(await billingOf(school, id)).toMatchObject({ status: "free", charges: [] });
  expect((await school.owner.get("/finance/unbilled-flights")).body.data).toEqual([]);
});

test("students see what they pay, and nobody else's money", async () => {
  const school = await newSchool();
  await usualRates(school);
  const other = await school.join(["student"]);
  const { id } = await school.draftFlight(school.student);
  expect((await school.student.get(`/finance/flights/${id}/preview`)).status).toBe(200);
  expect((await other.get(`/finance/flights/${id}/preview`)).status).toBe(404);
  expect((await school.instructor.get(`/finance/flights/${id}/preview`)).status).toBe(404);

  const flown = await approvedFlight(school);
  expect((await school.student.get(`/finance/flights/${flown}`)).body.data.charges).toHaveLength(2);
  expect((await school.instructor.get(`/finance/flights/${flown}`)).status).toBe(404);
  const [charge] = (await school.student.get("/finance/charges")).body.data;
  expect(charge.flight_id).toBe(flown);
  expect((await other.get("/finance/charges")).body.data).toEqual([]);
  expect((await other.get(`/finance/charges/${charge.id}`)).status).toBe(404);
  expect((await school.student.get("/finance/unbilled-flights")).status).toBe(403);
  expect((await school.student.post(`/finance/flights/${flown}/waive`, { reason: "Please." })).status).toBe(403);
});

test("a charge by hand is reversed once, by an opposite entry with a reason", async () => {
  const { owner, student } = await newSchool();
  const body = { person_id: student.personId, description: "Headset", quantity: "1.50", unit: "piece" };
  const added = await owner.post("/finance/charges", { ...body, unit_price_minor: 333, on: "2026-06-14" });
  const { id, ...charge } = expectStatus(201, added).body.data;
  // 1.5 times 3.33 is 4.995.
  expect(charge).toMatchObject({ kind: "manual", net_minor: 500, vat_rate: "19.00", currency: "EUR", status: "open" });
  const credit = await owner.post("/finance/charges", { ...body, unit_price_minor: -333 });
  expect(expectStatus(201, credit).body.data.net_minor).toBe(-500);

  const reverse = () => owner.post(`/finance/charges/${id}/reverse`, { reason: "Charged twice." });
  expect(expectStatus(200, await reverse()).body.data.status).toBe("offset");
  expect((await reverse()).body.error.reason).toBe("charge_reversed");
  expect(
    (await owner.get(`/finance/charges?status=offset&person_id=${student.personId}`)).body.data.sort(byAmount),
  ).toMatchObject([{ reverses_id: id, quantity: "-1.50", net_minor: -500, reason: "Charged twice." }, { id }]);
});

test("an invoiced charge is not changed: its reversal is to be credited, and its flight is not charged anew", async () => {
  const school = await newSellingSchool();
  await usualRates(school);
  const id = await approvedFlight(school);
  const { orgId, owner, student } = school;
  const [{ id: charge }] = (await billingOf(school, id)).charges;
  const body = { person_id: student.personId, charge_ids: [charge] };
  const invoice = expectStatus(201, await owner.post("/finance/invoices", body)).body.data.id;
  expectStatus(200, await owner.post(`/finance/invoices/${invoice}/send`));
  for (const [method, path, body] of [
    ["POST", "/charge", undefined],
    ["POST", "/waive", { reason: "A prize." }],
    ["PATCH", "", { payer_id: owner.personId }],
  ] as const) {
    const answer = await owner.call(method, `/orgs/${orgId}/finance/flights/${id}${path}`, { body });
    expect([answer.status, answer.body.error?.reason]).toEqual([409, "charge_invoiced"]);
  }
  expect(await billingOf(school, id)).toMatchObject({ payer_id: school.student.personId, named_payer_id: null });
  expectStatus(200, await owner.post(`/flights/${id}/reverse`, { reason: "Wrong aircraft." }));
  const { charges } = await billingOf(school, id);
  expect(
    charges.map(({ kind, status, net_minor }: Record<string, unknown>) => [kind, status, net_minor]).sort(),
  ).toEqual(
    [
      ["aircraft", "invoiced", 23_250],
      ["aircraft", "open", -23_250],
      ["landing", "offset", -700],
      ["landing", "offset", 700],
    ].sort(),
  );
});

test("where the operator disabled the money, its routes are gone and an approval raises nothing", async () => {
  const installation = await newInstallation({ env: { WINDSOCK_DISABLE: "finance" } });
  const school = await newSchool(installation);
  expect((await school.owner.get("/finance/rates")).status).toBe(404);
  await approvedFlight(school);
});

test("a list of charges has the days from the first to the one before its end; a charge without a day is of today", async () => {
  const { owner, student } = await newSchool();
  const body = { person_id: student.personId, ...map };
  const add = async (change: object) => expectStatus(201, await owner.post("/finance/charges", { ...body, ...change }));
  for (const on of ["2026-05-31", "2026-06-01", "2026-06-02"]) await add({ on });
  const { data } = (await owner.get("/finance/charges?from=2026-06-01&to=2026-06-02")).body;
  expect(data.map(({ on }: { on: string }) => on)).toEqual(["2026-06-01"]);
  expect((await add({})).body.data.on).toBe("2026-06-14");
});

test("neither a reversal nor a charge of a flight is reversed by hand", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  await usualRates(school);
  const flight = await approvedFlight(school);
  const body = { person_id: student.personId, ...map };
  const { id } = expectStatus(201, await owner.post("/finance/charges", body)).body.data;
  const reverse = (id: string) => owner.post(`/finance/charges/${id}/reverse`, { reason: "Wrong." });
  expectStatus(200, await reverse(id));
  const { data } = (await owner.get("/finance/charges")).body;
  const reversal = data.find(({ reverses_id }: { reverses_id: string | null }) => reverses_id === id);
  expect((await reverse(reversal.id)).body.error.reason).toBe("charge_reversed");
  const [raised] = (await billingOf(school, flight)).charges;
  expect((await reverse(raised.id)).body.error.reason).toBe("charge_not_by_hand");
});
