/** What credits a line, by hand, by a run or by a reversal, credits no more than was charged. */
import { expect, test } from "bun:test";
import { newSellingSchool } from "../../support/money.ts";
import { expectStatus, type School } from "../../support/school.ts";
import { addRate, approvedFlight, billingOf } from "./school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const item = { description: "Headset", quantity: "1.00", unit: "piece", unit_price_minor: 10_000 };
const zero = { vat_category: "zero", vat_rate: "0.00" };
const until = "2099-01-01";

const draft = async ({ owner, student }: School, body: object = { until }): Promise<Body> =>
  expectStatus(201, await owner.post("/finance/invoices", { person_id: student.personId, ...body })).body.data;

const act = async ({ owner }: School, { id }: Body, action: string, body?: object, status = 200): Promise<Body> =>
  expectStatus(status, await owner.post(`/finance/invoices/${id}/${action}`, body)).body.data;

const credit = (school: School, invoice: Body, lines?: object[]): Promise<Body> =>
  act(school, invoice, "credit", { reason: "Wrong.", ...(lines && { lines }) }, 201);

const refused = async ({ owner }: School, { id }: Body, lines?: object[]): Promise<string> => {
  const body = { reason: "Wrong.", ...(lines && { lines }) };
  return expectStatus(409, await owner.post(`/finance/invoices/${id}/credit`, body)).body.error.reason;
};

const read = async ({ owner }: School, { id }: Body): Promise<Body> =>
  expectStatus(200, await owner.get(`/finance/invoices/${id}`)).body.data;

const run = async ({ owner }: School): Promise<Body[]> =>
  expectStatus(200, await owner.post("/finance/invoice-runs", { until, send: true })).body.data.invoices;

const reverseFlight = async ({ owner }: School, id: string) =>
  expectStatus(200, await owner.post(`/flights/${id}/reverse`, { reason: "Wrong." }));

const balanceOf = async ({ owner, student }: School, person = student.personId): Promise<number> =>
  expectStatus(200, await owner.get(`/people/${person}/account`)).body.data.balances[0].balance_minor;

const addCharge = async ({ owner, student }: School, charge: object): Promise<Body> =>
  expectStatus(201, await owner.post("/finance/charges", { person_id: student.personId, ...charge })).body.data;

/** A flight of 232.50 net, 276.68 gross. */
async function flown() {
  const school = await newSellingSchool();
  await addRate(school, { aircraft_id: school.aircraftId });
  return { school, flight: await approvedFlight(school) };
}

test("a flight that is reversed while its charge is on a draft is billed nowhere, and credited nowhere", async () => {
  const { school, flight } = await flown();
  const drafted = await draft(school, { until, lines: [item] });
  await reverseFlight(school, flight);
  expect(await read(school, drafted)).toMatchObject({
    ...{ net_minor: 10_000, vat_minor: 1900, gross_minor: 11_900 },
    lines: [{ description: "Headset" }],
  });
  expect((await billingOf(school, flight)).charges.map(({ status }: Body) => status)).toEqual(["offset", "offset"]);
  await act(school, drafted, "send");
  expect(await run(school)).toEqual([]);
  expect(await balanceOf(school)).toBe(-11_900);
});

test("a flight that is reversed after its invoice was credited by hand carries the rest, and with none left nothing", async () => {
  for (const [given, carried] of [
    [10_000, -13_250],
    [23_250, 0],
  ] as const) {
    const { school, flight } = await flown();
    const invoice = await act(school, await draft(school), "send");
    const [{ id: line_id }] = invoice.lines;
    await act(school, await credit(school, invoice, [{ line_id, net_minor: given }]), "send");
    await reverseFlight(school, flight);
    const [, reversal] = (await billingOf(school, flight)).charges;
    expect([reversal.status, reversal.net_minor]).toEqual([carried === 0 ? "offset" : "open", carried]);
    expect((await run(school)).map(({ net_minor }) => net_minor)).toEqual(carried === 0 ? [] : [carried]);
    expect(await balanceOf(school)).toBe(0);
    expect(await refused(school, invoice)).toBe("line_credited");
  }
});

test("an invoice that holds a reversal and is credited in full does not make the reversed flight owed again", async () => {
  const { school, flight } = await flown();
  const first = await act(school, await draft(school), "send");
  await reverseFlight(school, flight);
  const second = await act(
    school,
    await draft(school, { until, lines: [{ ...item, unit_price_minor: 50_000 }] }),
    "send",
  );
  const back = second.lines.find(({ net_minor }: Body) => net_minor < 0);
  expect(back.credits_line_id).toBe(first.lines[0].id);
  expect(await refused(school, first)).toBe("line_credited");
  const named = await school.owner.post(`/finance/invoices/${second.id}/credit`, {
    ...{ reason: "Wrong.", lines: [{ line_id: back.id }] },
  });
  expect(expectStatus(400, named).body.issues[0].path).toBe("body.lines.0.line_id");
  const all = await act(school, await credit(school, second), "send");
  expect(all.lines).toMatchObject([{ description: "Headset", net_minor: -50_000 }]);
  expect(await balanceOf(school)).toBe(0);
  expect(await run(school)).toEqual([]);
});

test("credit notes name a line with a quantity or an amount, and drafts reserve what they credit", async () => {
  const school = await newSellingSchool();
  const lines = [
    { ...item, quantity: "3.00" },
    { ...item, vat_rate: "7.00" },
  ];
  const invoice = await act(school, await draft(school, { lines }), "send");
  const [many, one] = invoice.lines.map(({ id }: Body) => id);
  const first = await credit(school, invoice, [
    { line_id: many, quantity: "1.00", description: "Returned" },
    { line_id: one, net_minor: 2500 },
  ]);
  expect(first.lines).toMatchObject([
    { credits_line_id: many, description: "Returned", quantity: "-1.00", unit_price_minor: 10_000, net_minor: -10_000 },
    { credits_line_id: one, description: "Headset", quantity: "-1.00", unit_price_minor: 2500, net_minor: -2500 },
  ]);
  expect(await refused(school, invoice, [{ line_id: many, quantity: "2.01" }])).toBe("credit_exceeds_line");
  expect(await refused(school, invoice, [{ line_id: one, net_minor: 7501 }])).toBe("credit_exceeds_line");
  const rest = await credit(school, invoice);
  expect(rest.lines.map(({ net_minor }: Body) => net_minor)).toEqual([-20_000, -7500]);
  expect(await refused(school, invoice)).toBe("line_credited");
  expect(await refused(school, invoice, [{ line_id: one }])).toBe("line_credited");
  await act(school, first, "void", { reason: "No." });
  const again = await credit(school, invoice, [{ line_id: many }, { line_id: one }]);
  expect(again.gross_minor + rest.gross_minor).toBe(-invoice.gross_minor);
  const path = `/finance/invoices/${rest.id}`;
  const changed = expectStatus(400, await school.owner.patch(path, { lines: [item] }));
  expect(changed.body.issues[0].path).toBe("body.lines");
  expectStatus(200, await school.owner.patch(path, { note: "Sorry." }));
  for (const [body, field] of [
    [{ line_id: many, quantity: "1.00", net_minor: 1 }, "net_minor"],
    [{ line_id: school.orgId }, "line_id"],
  ] as const) {
    const answer = await school.owner.post(`/finance/invoices/${invoice.id}/credit`, { reason: "x", lines: [body] });
    expect(expectStatus(400, answer).body.issues[0].path).toBe(`body.lines.0.${field}`);
  }
});

test("many credit notes give back the VAT of an invoice to the cent", async () => {
  const school = await newSellingSchool();
  const cheap = { ...item, unit_price_minor: 3 };
  const invoice = await act(school, await draft(school, { lines: Array(40).fill(cheap) }), "send");
  expect(invoice).toMatchObject({ net_minor: 120, vat_minor: 23 });
  let [net, vat] = [120, 23];
  for (const { id } of invoice.lines) {
    const note = await credit(school, invoice, [{ line_id: id }]);
    [net, vat] = [net + note.net_minor, vat + note.vat_minor];
    expect([Math.floor(net * 0.19), Math.ceil(net * 0.19)]).toContain(vat);
  }
  expect([net, vat]).toEqual([0, 0]);
  expect(await refused(school, invoice)).toBe("line_credited");
});

test("a flight is credited in full when it is reversed, whatever else its document states", async () => {
  for (const [paid, byHand] of [
    [10_000, false],
    [30_000, false],
    [30_000, true],
  ] as const) {
    const { school, flight } = await flown();
    const fuel = { ...item, ...zero, description: "Fuel paid by the pilot", unit_price_minor: -paid };
    if (!byHand) await addCharge(school, fuel);
    const billed = await act(school, await draft(school, { until, lines: byHand ? [fuel] : [] }), "send");
    expect(billed).toMatchObject({ gross_minor: 27_668 - paid, kind: paid > 27_668 ? "credit_note" : "invoice" });
    await reverseFlight(school, flight);
    expect(await run(school)).toMatchObject([{ net_minor: -23_250, gross_minor: -27_668 }]);
    expect(await balanceOf(school)).toBe(paid);
  }
});

test("a flight that is billed to another payer is credited in full, whatever else its document states", async () => {
  for (const paid of [10_000, 30_000]) {
    const { school, flight } = await flown();
    await addCharge(school, { ...item, ...zero, unit_price_minor: -paid });
    await act(school, await draft(school), "send");
    const body = { payer_id: school.instructor.personId, reason: "The instructor pays.", send: true };
    const { data } = expectStatus(201, await school.owner.post(`/finance/flights/${flight}/rebill`, body)).body;
    expect(data.credit_note_ids).toHaveLength(1);
    expect(await balanceOf(school)).toBe(paid);
    expect(await balanceOf(school, school.instructor.personId)).toBe(-27_668);
  }
});

test("a quantity that is credited is not more than is left, also where it rounds to the same amount", async () => {
  const school = await newSellingSchool();
  const lines = [
    { ...item, unit_price_minor: 1 },
    { ...item, quantity: "3.00" },
  ];
  const invoice = await act(school, await draft(school, { lines }), "send");
  const [cent, many] = invoice.lines.map(({ id }: Body) => id);
  expect(await refused(school, invoice, [{ line_id: cent, quantity: "1.49" }])).toBe("credit_exceeds_line");
  expect(await refused(school, invoice, [{ line_id: cent, quantity: "1.01" }])).toBe("credit_exceeds_line");
  // An amount takes no quantity, unless it is the price of a piece.
  await credit(school, invoice, [{ line_id: many, net_minor: 9999 }]);
  await credit(school, invoice, [
    { line_id: cent, quantity: "1.00" },
    { line_id: many, quantity: "2.00" },
  ]);
  expect(await refused(school, invoice, [{ line_id: cent, quantity: "0.50" }])).toBe("line_credited");
  expect(await refused(school, invoice, [{ line_id: many, quantity: "0.01" }])).toBe("credit_exceeds_line");
});

test("what the draft of a credit note had reserved of a reversed flight is credited once it is void", async () => {
  const { school, flight } = await flown();
  const invoice = await act(school, await draft(school), "send");
  const note = await credit(school, invoice, [{ line_id: invoice.lines[0].id, net_minor: 10_000 }]);
  await reverseFlight(school, flight);
  expect(await run(school)).toMatchObject([{ net_minor: -13_250 }]);
  await act(school, note, "void", { reason: "No." });
  expect(await run(school)).toMatchObject([{ net_minor: -10_000 }]);
  expect(await balanceOf(school)).toBe(0);
});
