/** What a draft takes and refuses, and what may be sent, credited and voided. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { days } from "../../../src/core/clock.ts";
import type { OrgId } from "../../../src/core/ids.ts";
import { TestClock } from "../../support/clock.ts";
import { newInstallation } from "../../support/installation.ts";
import { headset, newSellingSchool } from "../../support/money.ts";
import { expectStatus, type School } from "../../support/school.ts";
import { approvedFlight, dual, usualRates } from "./school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

async function addCharge({ owner, student }: School, charge: object = {}): Promise<Body> {
  const body = { person_id: student.personId, ...headset, ...charge };
  return expectStatus(201, await owner.post("/finance/charges", body)).body.data;
}

const draft = async ({ owner, student }: School, body: object = {}): Promise<Body> =>
  expectStatus(201, await owner.post("/finance/invoices", { person_id: student.personId, until: null, ...body })).body
    .data;

const act = async ({ owner }: School, id: string, action: string, body?: object): Promise<Body> =>
  expectStatus(
    ["credit", "cancel"].includes(action) ? 201 : 200,
    await owner.post(`/finance/invoices/${id}/${action}`, body),
  ).body.data;

const refused = async ({ owner }: School, id: string, action: string, body?: object): Promise<string> =>
  expectStatus(409, await owner.post(`/finance/invoices/${id}/${action}`, body)).body.error.reason;

const tenantOf = ({ installation, orgId }: School) => installation.storage.tenants.tenant(orgId as OrgId);

/** Adds as many charges as copies of one. */
async function addCharges(school: School, count: number): Promise<void> {
  const { id } = await addCharge(school);
  const { columns } = await tenantOf(school).read(async (reader) => {
    const rows = await reader.values<[string]>(
      sql`select name from pragma_table_info('finance_charges') where name <> 'id'`,
    );
    return { columns: rows.map(([name]) => `"${name}"`).join(", ") };
  });
  await tenantOf(school).write((tx) =>
    tx.run(sql`insert into finance_charges (id, ${sql.raw(columns)})
      with recursive numbers(n) as (select 2 union all select n + 1 from numbers where n < ${count})
      select substr(id, 1, 32) || printf('%04d', n), ${sql.raw(columns)} from finance_charges cross join numbers
      where id = ${id}`),
  );
}

test("a draft takes the charges of its days, and each once; others' and those that are taken are refused", async () => {
  const school = await newSellingSchool();
  const { owner, student, instructor } = school;
  const [first, second] = [
    await addCharge(school, { on: "2026-06-01" }),
    await addCharge(school, { on: "2026-06-02" }),
  ];
  const other = await addCharge(school, { person_id: instructor.personId });
  const issue = async (id: string) => {
    const body = { person_id: student.personId, until: null, charge_ids: [id] };
    return expectStatus(400, await owner.post("/finance/invoices", body)).body.issues[0].message;
  };
  expect(await issue(other.id)).toBe("The person has no such charge.");
  const { id, lines } = await draft(school, { until: "2026-06-01", charge_ids: [first.id] });
  expect(lines.map(({ charge_id }: Body) => charge_id)).toEqual([first.id]);
  expect(await issue(first.id)).toBe("The charge is not open.");
  await act(school, id, "void", { reason: "Wrong." });
  expect((await draft(school, { until: "2026-06-02", charge_ids: [second.id] })).lines).toHaveLength(2);
});

test("a line by hand is of its own day, or of today; a total of zero is an invoice, which is paid when it is sent", async () => {
  const school = await newSellingSchool();
  const made = await draft(school, {
    lines: [
      { ...headset, on: "2026-06-01" },
      { ...headset, unit_price_minor: -1000 },
    ],
  });
  expect(made).toMatchObject({ kind: "invoice", gross_minor: 0, lines: [{ on: "2026-06-01" }, { on: "2026-06-14" }] });
  expect(await act(school, made.id, "send")).toMatchObject({ status: "paid", paid_on: "2026-06-14" });
  expect(await refused(school, made.id, "cancel", { reason: "Wrong." })).toBe("invoice_settled");
});

test("an invoice has at most 200 lines: a run makes two of 201 charges, and its preview says so", async () => {
  const school = await newSellingSchool();
  await addCharges(school, 201);
  const { owner, student } = school;
  const until = "2026-06-14";
  const one = { person_id: student.personId, until, lines: [headset] };
  expect(expectStatus(400, await owner.post("/finance/invoices", one)).body.issues[0].path).toBe("body.lines");
  const preview = expectStatus(200, await owner.get(`/finance/invoice-runs/preview?until=${until}`)).body.data;
  expect(preview.invoices).toMatchObject([
    { charges: 200, gross_minor: 238_000 },
    { charges: 1, gross_minor: 1190 },
  ]);
  const terms = { note: "Thank you.", payment_days: 3 };
  const { invoices } = expectStatus(200, await owner.post("/finance/invoice-runs", { until, ...terms })).body.data;
  expect(invoices.map(({ charges }: Body) => charges)).toEqual([200, 1]);
  const read = await owner.get(`/finance/invoices/${invoices[1].invoice_id}`);
  expect(expectStatus(200, read).body.data).toMatchObject({ status: "draft", ...terms });
});

test("a run is sorted by the persons' names, and leaves out charges of later days", async () => {
  const school = await newSellingSchool();
  const { owner, student, instructor } = school;
  for (const { personId } of [owner, student, instructor]) await addCharge(school, { person_id: personId });
  await addCharge(school, { person_id: owner.personId, on: "2026-06-15" });
  const preview = async (until: string) =>
    expectStatus(200, await owner.get(`/finance/invoice-runs/preview?until=${until}`)).body.data.invoices;
  expect((await preview("2026-06-14")).map(({ name, charges }: Body) => [name, charges])).toEqual([
    ["Ines Instructor", 1],
    ["Olga Owner", 1],
    ["Sam Student", 1],
  ]);
  expect(await preview("2026-06-13")).toEqual([]);
});

test("lines by hand are replaced, and those of charges stay, in their order", async () => {
  const school = await newSellingSchool();
  const charges = [await addCharge(school), await addCharge(school, { description: "Kneeboard" })];
  const charge_ids = charges.map(({ id }) => id);
  const { id } = await draft(school, { charge_ids, lines: [{ ...headset, description: "Map" }] });
  const change = async (id: string, ...names: string[]) => {
    const lines = names.map((description) => ({ ...headset, description }));
    return expectStatus(200, await school.owner.patch(`/finance/invoices/${id}`, { lines })).body.data;
  };
  const shown = ({ lines }: Body) => lines.map(({ description }: Body) => description);
  expect(shown(await change(id, "Chart", "Fuel"))).toEqual(["Headset", "Kneeboard", "Chart", "Fuel"]);
  expect(await change(id)).toMatchObject({ gross_minor: 2380 });
  await act(school, id, "send");
  expectStatus(409, await school.owner.patch(`/finance/invoices/${id}`, { note: "Late." }));
});

test("a draft is an invoice or a credit note by its total, whenever that changes, and is numbered as what it is then", async () => {
  const school = await newSellingSchool();
  const change = async (id: string, prices: number[]) => {
    const lines = prices.map((unit_price_minor) => ({ ...headset, unit_price_minor }));
    return expectStatus(200, await school.owner.patch(`/finance/invoices/${id}`, { lines })).body.data;
  };
  const { id, kind } = await draft(school, { lines: [headset] });
  expect(kind).toBe("invoice");
  expect(await change(id, [1000, -1001])).toMatchObject({ kind: "credit_note", gross_minor: -1 });
  expect(await change(id, [1000, -1000])).toMatchObject({ kind: "invoice", gross_minor: 0 });
  expect((await change(id, [-1])).kind).toBe("credit_note");
  await change(id, []);
  expect(await refused(school, id, "send")).toBe("invoice_not_sendable");
  await change(id, [-1000]);
  expect(await act(school, id, "send")).toMatchObject({ kind: "credit_note", number: "CN-2026-00001", due_on: null });

  // The reversal of a charge takes its line off the draft.
  const charges = [await addCharge(school), await addCharge(school, { unit_price_minor: -5000 })];
  const mixed = await draft(school, { charge_ids: charges.map((charge) => charge.id) });
  expect(mixed).toMatchObject({ kind: "credit_note", gross_minor: -4760 });
  expectStatus(200, await school.owner.post(`/finance/charges/${charges[1].id}/reverse`, { reason: "Wrong." }));
  const sent = await act(school, mixed.id, "send");
  expect(sent).toMatchObject({ kind: "invoice", number: "INV-2026-00001", gross_minor: 1190, due_on: "2026-06-28" });
});

test("a draft of an older version, whose kind did not follow its total, is sent as what it is", async () => {
  const school = await newSellingSchool();
  for (const [price, kind, number] of [
    [1000, "invoice", "INV-2026-00001"],
    [-1000, "credit_note", "CN-2026-00001"],
  ] as const) {
    const { id } = await draft(school, { lines: [{ ...headset, unit_price_minor: price }] });
    const wrong = price < 0 ? "invoice" : "credit_note";
    await tenantOf(school).write((tx) => tx.run(sql`update finance_invoices set kind = ${wrong} where id = ${id}`));
    expect(await act(school, id, "send")).toMatchObject({ kind, number });
  }
});

test("a credit note for an invoice stays one, and must credit something in all", async () => {
  const school = await newSellingSchool();
  const invoice = await draft(school, { lines: [headset, { ...headset, unit_price_minor: -100 }] });
  const { id, lines } = await act(school, invoice.id, "send");
  const reduction = { reason: "Wrong.", lines: [{ line_id: lines[1].id }] };
  const answer = expectStatus(409, await school.owner.post(`/finance/invoices/${id}/credit`, reduction));
  expect(answer.body.error).toMatchObject({
    reason: "invoice_not_sendable",
    message: "Its lines credit nothing together: name more lines of the invoice.",
  });
});

test("each series is counted by itself, in the years of the school's time zone; terms come from the invoice, then the settings", async () => {
  // In Berlin, the new year has begun.
  const school = await newSellingSchool(await newInstallation({ clock: new TestClock("2026-12-31T23:30:00.000Z") }));
  const lines = [headset];
  const first = await act(school, (await draft(school, { lines, payment_days: 3 })).id, "send");
  expect(first).toMatchObject({ number: "INV-2027-00001", issued_date: "2027-01-01", due_on: "2027-01-04" });
  expect(first.seller.legal_name).toStartWith("School ");
  const second = await act(school, (await draft(school, { lines })).id, "send");
  expect(second).toMatchObject({ number: "INV-2027-00002", due_on: "2027-01-15" });
  const credit = await draft(school, { lines: [{ ...headset, unit_price_minor: -1 }] });
  expect(await act(school, credit.id, "send")).toMatchObject({ number: "CN-2027-00001", due_on: null });
});

test("only an invoice that was sent is credited, each line once, and what is void stays void", async () => {
  const school = await newSellingSchool();
  const reason = { reason: "Wrong." };
  const { id } = await draft(school, { lines: [headset, headset] });
  expect(await refused(school, id, "credit", reason)).toBe("wrong_status");
  const { lines } = await act(school, id, "send");
  const twice = { ...reason, lines: [{ line_id: lines[0].id }, { line_id: lines[0].id }] };
  const answer = expectStatus(400, await school.owner.post(`/finance/invoices/${id}/credit`, twice));
  expect(answer.body.issues[0].path).toBe("body.lines.1.line_id");
  const credit = await act(school, id, "credit", { ...reason, lines: [{ line_id: lines[0].id }] });
  await act(school, credit.id, "send");
  expect(await refused(school, credit.id, "credit", reason)).toBe("wrong_status");
  const other = await draft(school, { lines: [headset] });
  await act(school, other.id, "send");
  await act(school, other.id, "cancel", reason);
  for (const action of ["void", "cancel", "credit"])
    expect(await refused(school, other.id, action, reason)).toBe("wrong_status");
});

test("the reversal of a charge that a credit note stood for is not credited by the next run", async () => {
  const school = await newSellingSchool();
  const charge = await addCharge(school);
  const { id } = await draft(school, { charge_ids: [charge.id] });
  await act(school, id, "send");
  await act(school, (await act(school, id, "credit", { reason: "Broken." })).id, "send");
  expectStatus(200, await school.owner.post(`/finance/charges/${charge.id}/reverse`, { reason: "Broken." }));
  const preview = await school.owner.get("/finance/invoice-runs/preview?until=2099-01-01");
  expect(expectStatus(200, preview).body.data.invoices).toEqual([]);
});

test("a reversal of what was sent is on no invoice", async () => {
  const school = await newSellingSchool();
  const charge = await addCharge(school);
  await act(school, (await draft(school, { charge_ids: [charge.id] })).id, "send");
  expectStatus(200, await school.owner.post(`/finance/charges/${charge.id}/reverse`, { reason: "Broken." }));
  const [reversal] = (await school.owner.get("/finance/charges?status=open")).body.data;
  expect(reversal).toMatchObject({ reverses_id: charge.id, invoice_id: null });
});

test("the buyer is the customer, where they state something, with the address of one of both", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const home = { street: "Feldweg 1", postcode: "63225", city: "Langen", country: "DE" };
  expectStatus(200, await owner.patch(`/people/${student.personId}`, home));
  const buyer = async (customer: object): Promise<Body> => {
    expectStatus(200, await owner.patch(`/finance/customers/${student.personId}`, customer));
    return (await act(school, (await draft(school, { lines: [headset] })).id, "send")).buyer;
  };
  const company = { company: "Berg GmbH", vat_id: "DE987654321", buyer_reference: "04011000" };
  const sam = { name: "Sam Student", email: student.email, register_number: null, customer_number: null };
  expect(await buyer(company)).toEqual({ ...sam, ...company, ...home });
  const office = { street: null, postcode: null, city: "Bern", country: "CH", email: "ap@example.com" };
  expect(await buyer(office)).toEqual({ ...sam, ...company, ...office });
});

test("the sums by VAT begin with the highest rate", async () => {
  const school = await newSellingSchool();
  const rates = ["7.00", "19.00", "0.00"];
  const { vat } = await draft(school, {
    lines: rates.map((vat_rate) => ({
      ...{ ...headset, vat_rate, vat_category: vat_rate === "0.00" ? "zero" : "standard" },
    })),
  });
  expect(vat.map(({ vat_rate }: Body) => vat_rate)).toEqual(["19.00", "7.00", "0.00"]);
});

test("a list has the invoices of its kind, its person and its instants", async () => {
  const school = await newSellingSchool(await newInstallation());
  const { installation, owner, instructor } = school;
  const sent: Body[] = [];
  for (const person_id of [school.student.personId, instructor.personId]) {
    sent.push(await act(school, (await draft(school, { person_id, lines: [headset] })).id, "send"));
    installation.clock.advance(1000);
  }
  const credit = await act(school, (await act(school, sent[0].id, "credit", { reason: "Wrong." })).id, "send");
  await draft(school, { lines: [headset] });
  const ids = async (query: string) =>
    expectStatus(200, await owner.get(`/finance/invoices?${query}`)).body.data.map(({ id }: Body) => id);
  expect(await ids("kind=credit_note")).toEqual([credit.id]);
  expect(await ids(`person_id=${instructor.personId}`)).toEqual([sent[1].id]);
  const [from, to] = [sent[0].issued_on, sent[1].issued_on];
  expect(await ids(`from=${from}&to=${to}`)).toEqual([sent[0].id]);
  expect(await ids(`to=${to}`)).toEqual([sent[0].id]);
});

test("a cancelled invoice is not found overdue", async () => {
  const installation = await newInstallation();
  const school = await newSellingSchool(installation);
  const { id } = await act(school, (await draft(school, { lines: [headset] })).id, "send");
  await act(school, id, "cancel", { reason: "Wrong." });
  installation.clock.advance(days(30));
  await installation.scheduler.runNow("invoice-overdue");
  const rows = await tenantOf(school).read((reader) =>
    reader.values(sql`select status from finance_invoices where kind = 'invoice'`),
  );
  expect(rows.map(([status]) => status)).toEqual(["void"]);
});

test("what a flight costs is in one order on each document: the aircraft, the instructor, the landings", async () => {
  const school = await newSellingSchool();
  await usualRates(school);
  const inOrder = ["Flight time D-EABC", "Instructor Ines Instructor", "Landings EDKB"];
  const descriptions = ({ lines }: Body): string[] => lines.map(({ description }: Body) => description);
  for (const payer of ["owner", "instructor", "student", "owner"] as const) {
    const flight = await approvedFlight(school, { body: dual(school) });
    const drafted = await draft(school, { until: "2099-01-01" });
    expect(descriptions(drafted)).toEqual(inOrder);
    await act(school, drafted.id, "send");
    const body = { payer_id: school[payer].personId, reason: "Another pays." };
    const rebilled = expectStatus(201, await school.owner.post(`/finance/flights/${flight}/rebill`, body)).body.data;
    for (const id of [...rebilled.credit_note_ids, rebilled.invoice_id])
      expect(descriptions(expectStatus(200, await school.owner.get(`/finance/invoices/${id}`)).body.data)).toEqual(
        payer === "instructor" && id === rebilled.invoice_id ? ["Flight time D-EABC", "Landings EDKB"] : inOrder,
      );
  }
});
