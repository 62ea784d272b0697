/** A discount names the charge that it reduces, and is invoiced, credited and taken back with it. */
import { expect, test } from "bun:test";
import { newSellingSchool } from "../../support/money.ts";
import { expectStatus, type School } from "../../support/school.ts";
import { addRate, approvedFlight, billingOf } from "./school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const item = { description: "Headset", quantity: "1.00", unit: "piece", unit_price_minor: 10_000 };
const until = "2099-01-01";

const add = ({ owner, student }: School, charge: object = {}) =>
  owner.post("/finance/charges", { person_id: student.personId, ...item, ...charge });

const charged = async (school: School, charge: object = {}): Promise<Body> =>
  expectStatus(201, await add(school, charge)).body.data;

const reduce = (school: School, reduces_id: string, price = -1000): Promise<Body> =>
  charged(school, { description: "Discount", unit_price_minor: price, reduces_id });

const draft = async ({ owner, student }: School, body: object = { until }): Promise<Body> =>
  expectStatus(201, await owner.post("/finance/invoices", { person_id: student.personId, ...body })).body.data;

const act = async ({ owner }: School, { id }: Body, action: string, body?: object, status = 200): Promise<Body> =>
  expectStatus(status, await owner.post(`/finance/invoices/${id}/${action}`, body)).body.data;

const send = async (school: School, body?: object): Promise<Body> => act(school, await draft(school, body), "send");

const credit = (school: School, invoice: Body, lines: object[] | null = null) =>
  school.owner.post(`/finance/invoices/${invoice.id}/credit`, { reason: "Wrong.", lines });

const credited = async (school: School, invoice: Body, lines: object[] | null = null): Promise<number[]> =>
  netsOf(expectStatus(201, await credit(school, invoice, lines)).body.data);

const netsOf = ({ lines }: Body): number[] => lines.map(({ net_minor }: Body) => net_minor);

const run = async ({ owner }: School): Promise<Body[]> =>
  expectStatus(200, await owner.post("/finance/invoice-runs", { until, send: true })).body.data.invoices;

const reverse = async ({ owner }: School, { id }: Body): Promise<Body> =>
  expectStatus(200, await owner.post(`/finance/charges/${id}/reverse`, { reason: "Wrong." })).body.data;

const balanceOf = async ({ owner }: School, person: string): Promise<number> =>
  expectStatus(200, await owner.get(`/people/${person}/account`)).body.data.balances[0].balance_minor;

const statusesOf = async ({ owner }: School): Promise<string[]> =>
  expectStatus(200, await owner.get("/finance/charges"))
    .body.data.map((one: Body) => one.status)
    .sort();

/** A flight of 232.50, with a discount of 32.50 on it. */
async function flown() {
  const school = await newSellingSchool();
  await addRate(school, { aircraft_id: school.aircraftId });
  const flight = await approvedFlight(school);
  const [charge] = (await billingOf(school, flight)).charges;
  return { school, flight, discount: await reduce(school, charge.id, -3250), charge };
}

test("a discount has the day and the VAT of what it reduces, of the same person and currency, and is at most that", async () => {
  const school = await newSellingSchool();
  const { owner, instructor, orgId } = school;
  const vat = { vat_category: "standard", vat_rate: "7.00" };
  const charge = await charged(school, { ...vat, on: "2026-03-01" });
  const first = await reduce(school, charge.id, -4000);
  expect(first).toMatchObject({ reduces_id: charge.id, ...vat, on: "2026-03-01", kind: "manual", net_minor: -4000 });
  const discount = { unit_price_minor: -6000, reduces_id: charge.id };
  const refused = async (body: object): Promise<string> =>
    expectStatus(400, await add(school, { ...discount, ...body })).body.issues[0].path;
  expect(await refused({ unit_price_minor: -6001 })).toBe("body.unit_price_minor");
  expect(await refused({ unit_price_minor: 0 })).toBe("body.unit_price_minor");
  expect(await refused({ unit_price_minor: 1 })).toBe("body.unit_price_minor");
  expect(await refused({ on: "2026-03-02" })).toBe("body.on");
  expect(await refused({ vat_category: "standard", vat_rate: "19.00" })).toBe("body.vat_category");
  expect(await refused({ reduces_id: orgId })).toBe("body.reduces_id");
  expect(await refused({ reduces_id: first.id, unit_price_minor: -1 })).toBe("body.reduces_id");
  expect(await refused({ person_id: instructor.personId })).toBe("body.reduces_id");
  expectStatus(200, await owner.call("PATCH", `/orgs/${orgId}`, { body: { currency: "CHF" } }));
  expect(await refused({})).toBe("body.reduces_id");
  expectStatus(200, await owner.call("PATCH", `/orgs/${orgId}`, { body: { currency: "EUR" } }));
  expectStatus(201, await add(school, { ...discount, ...vat, on: "2026-03-01" }));
  expect(await refused({ unit_price_minor: -1 })).toBe("body.unit_price_minor");
  // What was taken back reduces nothing.
  await reverse(school, first);
  expectStatus(201, await add(school, { ...discount, unit_price_minor: -4000 }));
});

test("a charge that was invoiced or reversed is not reduced", async () => {
  const school = await newSellingSchool();
  const charge = await charged(school);
  const drafted = await draft(school);
  const discount = { unit_price_minor: -1, reduces_id: charge.id };
  expect(expectStatus(409, await add(school, discount)).body.error.reason).toBe("charge_invoiced");
  await act(school, drafted, "void", { reason: "No." });
  expectStatus(201, await add(school, discount));
  await reverse(school, charge);
  expect(await statusesOf(school)).toEqual(Array(4).fill("offset"));
  expect(expectStatus(409, await add(school, discount)).body.error.reason).toBe("charge_reversed");
});

test("a discount is invoiced with what it reduces, whichever is chosen, and leaves a draft with it", async () => {
  const school = await newSellingSchool();
  const charge = await charged(school);
  await charged(school, { description: "Another" });
  const discount = await reduce(school, charge.id);
  for (const { id } of [charge, discount]) {
    const made = await draft(school, { charge_ids: [id] });
    expect(made.lines.map(({ charge_id }: Body) => charge_id).sort()).toEqual([charge.id, discount.id].sort());
    await act(school, made, "void", { reason: "No." });
  }
  const all = await draft(school, { charge_ids: [discount.id], until });
  expect(netsOf(all).sort()).toEqual([-1000, 10_000, 10_000].sort());
  await reverse(school, charge);
  const path = `/finance/invoices/${all.id}`;
  expect(netsOf(expectStatus(200, await school.owner.get(path)).body.data)).toEqual([10_000]);
});

test("more charges than an invoice has room for are divided between a charge and the next, not before its discount", async () => {
  const school = await newSellingSchool();
  let last: Body;
  for (let count = 0; count < 200; count += 1) last = await charged(school, { unit_price_minor: 100 });
  await reduce(school, last.id, -50);
  const { owner, installation } = school;
  const now = installation.clock.now().toISOString().slice(0, 10);
  const { invoices } = expectStatus(200, await owner.get(`/finance/invoice-runs/preview?until=${now}`)).body.data;
  const amounts = (made: Body[]) => made.map(({ charges, net_minor }) => [charges, net_minor]);
  expect(amounts(invoices)).toEqual([
    [199, 19_900],
    [2, 50],
  ]);
  expect(amounts(await run(school))).toEqual(amounts(invoices));
});

test("a discount is taken back with a flight that is reversed, waived or billed to another payer", async () => {
  const open = await flown();
  expectStatus(200, await open.school.owner.post(`/finance/flights/${open.flight}/waive`, { reason: "A gift." }));
  expect(await statusesOf(open.school)).toEqual(Array(4).fill("offset"));

  const reversed = await flown();
  expect(await send(reversed.school)).toMatchObject({ net_minor: 20_000 });
  expectStatus(200, await reversed.school.owner.post(`/flights/${reversed.flight}/reverse`, { reason: "Wrong." }));
  expect(await run(reversed.school)).toMatchObject([{ net_minor: -20_000, gross_minor: -23_800 }]);
  expect(await balanceOf(reversed.school, reversed.school.student.personId)).toBe(0);

  const { school, flight } = await flown();
  await send(school);
  const { student, instructor } = school;
  const body = { payer_id: instructor.personId, reason: "The instructor pays.", send: true };
  const { data } = expectStatus(201, await school.owner.post(`/finance/flights/${flight}/rebill`, body)).body;
  expect(data.credit_note_ids).toHaveLength(1);
  expect([await balanceOf(school, student.personId), await balanceOf(school, instructor.personId)]).toEqual([
    0, -27_668,
  ]);
  expect(await run(school)).toEqual([]);
});

test("a flight with a discount of all that it costs is billed to another payer", async () => {
  const { school, flight, charge } = await flown();
  await reduce(school, charge.id, -20_000);
  expect(await send(school)).toMatchObject({ gross_minor: 0, status: "paid" });
  const body = { payer_id: school.instructor.personId, reason: "The instructor pays.", send: true };
  expectStatus(201, await school.owner.post(`/finance/flights/${flight}/rebill`, body));
  const { student, instructor } = school;
  expect([await balanceOf(school, student.personId), await balanceOf(school, instructor.personId)]).toEqual([
    0, -27_668,
  ]);
});

test("a discount that is reversed alone is owed, and what it reduced stays", async () => {
  const { school, discount } = await flown();
  await send(school);
  await reverse(school, discount);
  expect(await run(school)).toMatchObject([{ kind: "invoice", net_minor: 3250 }]);
  expect(await balanceOf(school, school.student.personId)).toBe(-27_668);
});

test("a line is credited with its discounts: all of it, a quantity with that part, and an amount of what both leave", async () => {
  const school = await newSellingSchool();
  const charge = await charged(school, { quantity: "4.00", unit_price_minor: 2500 });
  const discounts = [await reduce(school, charge.id, -1000), await reduce(school, charge.id, -333)];
  const invoice = await send(school);
  const lineOf = ({ id }: Body) => invoice.lines.find(({ charge_id }: Body) => charge_id === id).id;
  const line_id = lineOf(charge);
  const whole = expectStatus(201, await credit(school, invoice, [{ line_id }])).body.data;
  expect([netsOf(whole), whole.gross_minor]).toEqual([[-10_000, 1000, 333], -invoice.gross_minor]);
  await act(school, whole, "void", { reason: "No." });
  for (const discount of discounts) {
    const alone = expectStatus(400, await credit(school, invoice, [{ line_id }, { line_id: lineOf(discount) }]));
    expect(alone.body.issues[0].path).toBe("body.lines.1.line_id");
  }
  expect(await credited(school, invoice, [{ line_id, quantity: "1.00" }])).toEqual([-2500, 250, 83]);
  // 75.00 less 10.00 is left.
  const above = await credit(school, invoice, [{ line_id, net_minor: 6501 }]);
  expect(expectStatus(409, above).body.error.reason).toBe("credit_exceeds_line");
  expect(await credited(school, invoice, [{ line_id, net_minor: 6400 }])).toEqual([-6400]);
  expect(await credited(school, invoice)).toEqual([-1100, 750, 250]);
  expect(expectStatus(409, await credit(school, invoice)).body.error.reason).toBe("line_credited");
});

test("what amounts have credited of a line and its discounts is not credited again", async () => {
  const school = await newSellingSchool();
  const charge = await charged(school);
  await reduce(school, charge.id);
  const invoice = await send(school);
  const line_id = invoice.lines.find(({ net_minor }: Body) => net_minor > 0).id;
  const note = expectStatus(201, await credit(school, invoice, [{ line_id, net_minor: 9000 }])).body.data;
  await act(school, note, "send");
  for (const lines of [null, [{ line_id }], [{ line_id, net_minor: 1 }]])
    expect(expectStatus(409, await credit(school, invoice, lines)).body.error.reason).toBe("line_credited");
  await reverse(school, charge);
  await run(school);
  expect(await balanceOf(school, school.student.personId)).toBe(0);
});

test("a package that is half drawn gives back its share, less the share of its discount", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  await addRate(school, { aircraft_id: school.aircraftId });
  const hours = { person_id: student.personId, name: "Hours", uses: "aircraft", quantity: "124.00" };
  const sale = { ...hours, price_minor: 100_000, valid_from: "2026-01-01" };
  expectStatus(201, await owner.post("/finance/packages", sale));
  const [{ id }] = expectStatus(200, await owner.get("/finance/charges")).body.data;
  await reduce(school, id, -10_001);
  const invoice = await send(school);
  await approvedFlight(school);
  expect(await credited(school, invoice)).toEqual([-50_000, 5000]);
  const [ended] = expectStatus(200, await owner.get("/finance/packages")).body.data;
  expect(ended).toMatchObject({ remaining: "0.00", returned: "62.00", voided_at: expect.any(String) });
});
