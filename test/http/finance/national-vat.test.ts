/** VAT of an invoice in a foreign currency is stated in that of the seller's country, too (Art. 230 of Directive 2006/112/EC). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { TestClock } from "../../support/clock.ts";
import { type Answer, newInstallation } from "../../support/installation.ts";
import { creditAfterPayment, headset, newSellingSchool, sendInvoice } from "../../support/money.ts";
import { pdfText } from "../../support/pdf-text.ts";
import { expectStatus, type School } from "../../support/school.ts";
import { brokenRules } from "../../unit/finance/e-invoice-rules.ts";
import { readUbl } from "../../unit/finance/read-ubl.ts";
import { addRate, approvedFlight } from "./school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

// As in `documents.test.ts`.
setDefaultTimeout(60_000);

const none = { national_currency: null, exchange_rate: null, national_vat_minor: null };
const inEuros = (national_vat_minor: number, exchange_rate: string | null = "0.9123") => ({
  ...{ national_currency: "EUR", exchange_rate, national_vat_minor },
});

const rated = (rate: string, valid_from = "2026-01-01", valid_until: string | null = null, currency = "USD") => ({
  ...{ currency, rate, valid_from, valid_until },
});
const setRates = async ({ owner }: School, ...exchange_rates: object[]) =>
  expectStatus(200, await owner.patch("/finance/settings", { exchange_rates }));

/** A school in Germany that charges dollars. Today is 2026-06-14. */
async function dollars(...rates: object[]): Promise<School> {
  const installation = await newInstallation({ clock: new TestClock("2026-06-14T09:00:00.000Z") });
  const school = await newSellingSchool(installation);
  expectStatus(200, await school.owner.patch("", { currency: "USD" }));
  await setRates(school, ...rates);
  return school;
}

async function draft({ owner, student }: School, lines: object[], more: object = {}): Promise<Body> {
  const body = { person_id: student.personId, lines: lines.map((one) => ({ ...headset, ...one })), ...more };
  return expectStatus(201, await owner.post("/finance/invoices", body)).body.data;
}

const post = ({ owner }: School, { id }: Body, action: string, body?: object): Promise<Answer> =>
  owner.post(`/finance/invoices/${id}/${action}`, body);
const sent = async (school: School, lines: object[], more: object = {}): Promise<Body> =>
  sendInvoice(school, await draft(school, lines, more));
const credited = async (school: School, invoice: Body, lines: object[] | null = null): Promise<Body> =>
  sendInvoice(school, expectStatus(201, await post(school, invoice, "credit", { reason: "Wrong.", lines })).body.data);
const cancelled = async (school: School, invoice: Body): Promise<Body> =>
  expectStatus(201, await post(school, invoice, "cancel", { reason: "Wrong." })).body.data;
const read = async ({ owner }: School, id: string): Promise<Body> =>
  expectStatus(200, await owner.get(`/finance/invoices/${id}`)).body.data;
const refusal = (answer: Answer): string => expectStatus(409, answer).body.error.reason;

test("an invoice in another currency is not sent without an exchange rate, and states its VAT by it, for good", async () => {
  const school = await dollars();
  const { owner } = school;
  const made = await draft(school, [{ unit_price_minor: 1000 }]);
  expect(made).toMatchObject(none);
  const refused = expectStatus(409, await post(school, made, "send")).body.error;
  expect(refused.reason).toBe("exchange_rate_missing");
  expect(refused.message).toContain("stated in EUR, too: set the exchange rate of USD on 2026-06-14");
  // Nothing was used up.
  expectStatus(200, await owner.patch(`/finance/invoices/${made.id}`, { exchange_rate: "0.9123" }));
  const stated = { number: "INV-2026-00001", vat_minor: 190, ...inEuros(173) };
  expect(await sendInvoice(school, made)).toMatchObject(stated);
  await setRates(school, rated("0.5"));
  expect(await read(school, made.id)).toMatchObject(stated);
  expect(refusal(await owner.patch(`/finance/invoices/${made.id}`, { exchange_rate: "0.5" }))).toBe("wrong_status");

  const { data } = expectStatus(200, await owner.get("/finance/invoices")).body;
  expect(data).toMatchObject([stated]);
  const key = await school.apiKey("public.invoices:read");
  expect(expectStatus(200, await school.publicGet("/invoices", key)).body.data).toMatchObject([stated]);
  expect(expectStatus(200, await school.publicGet(`/invoices/${made.id}`, key)).body.data).toMatchObject(stated);
  const paid = { invoice_id: made.id, amount_minor: 1190, method: "cash" };
  expectStatus(201, await owner.post("/finance/payments", paid));
  const events = (await owner.get("/integrations/events?type=payment.received")).body.data;
  expect(events[0].payload?.data?.invoice ?? events[0].data.invoice).toMatchObject(inEuros(173));
});

test("the rate is that of the last day of supply that is taxed, or of today", async () => {
  const school = await dollars(rated("0.9", "2026-05-01", "2026-05-31"), rated("0.8", "2026-06-01", "2026-06-13"));
  const on = async (...days: string[]) =>
    (
      await sent(
        school,
        days.map((on) => ({ on })),
      )
    ).exchange_rate;
  const refused = async (day: string) => refusal(await post(school, await draft(school, [{ on: day }]), "send"));
  expect(await on("2026-05-01")).toBe("0.9");
  expect(await on("2026-05-31")).toBe("0.9");
  expect(await on("2026-06-01", "2026-05-02")).toBe("0.8");
  expect(await on("2026-06-13")).toBe("0.8");
  for (const day of ["2026-04-30", "2026-06-14", "2026-06-15", "2027-01-01"])
    expect([day, await refused(day)]).toEqual([day, "exchange_rate_missing"]);
  const exempt = { vat_category: "exempt", vat_reason: "§ 4 Nr. 21 UStG", on: "2026-06-14" };
  expect((await sent(school, [{ on: "2026-05-02" }, exempt])).exchange_rate).toBe("0.9");
  await setRates(school, rated("0.7", "2026-06-14", "2026-06-14"), rated("1.5", "2026-06-14", null, "CHF"));
  expect(await on("2026-06-14")).toBe("0.7");
  expect(await on("2027-01-01")).toBe("0.7");
  // The draft's own comes first.
  expect((await sent(school, [{}], { exchange_rate: "0.0000000001" })).national_vat_minor).toBe(0);
});

test("nothing is stated, or needed, without VAT, in the national currency, and where no national currency is known", async () => {
  const school = await dollars();
  const settings = async (change: object) => expectStatus(200, await school.owner.patch("/finance/settings", change));
  const buyer = { vat_id: "ATU12345678", country: "AT" };
  expectStatus(200, await school.owner.patch(`/finance/customers/${school.student.personId}`, buyer));
  await settings({ tax_number: "044 123 45678" });
  for (const vat of [
    { vat_category: "zero" },
    { vat_category: "exempt", vat_reason: "§ 4 Nr. 21 UStG" },
    { vat_category: "reverse_charge" },
    { vat_category: "intra_community" },
    { vat_category: "outside_scope" },
    // Less than half a cent of it.
    { vat_category: "standard", vat_rate: "19.00", unit_price_minor: 2 },
  ])
    expect(await sent(school, [vat])).toMatchObject(none);
  const salzburg = { city: "Zürich", postcode: "8000", country: "CH" };
  expect(await sent(school, [{ vat_category: "export" }], { deliver_to: salzburg })).toMatchObject(none);
  await settings({ small_business: true });
  expect(await sent(school, [{}])).toMatchObject(none);
  await settings({ small_business: false, country: "US" });
  expect(await sent(school, [{}], { exchange_rate: "0.9" })).toMatchObject(none);
  await settings({ country: "DE" });
  const taxed = await draft(school, [{}]);
  expect(refusal(await post(school, taxed, "send"))).toBe("exchange_rate_missing");
  expectStatus(200, await school.owner.patch("", { currency: "EUR" }));
  expect(await sent(school, [{}], { exchange_rate: "0.9" })).toMatchObject(none);
});

test.each([
  // 1.90 in cents: 172.5, and a bit less.
  ["DE", "USD", "0.9078947369", "EUR", 173],
  ["DE", "USD", "0.9078947368", "EUR", 172],
  ["PL", "EUR", "4.2345", "PLN", 805],
  ["CZ", "EUR", "24.5", "CZK", 4655],
  ["BG", "USD", "0.9", "EUR", 171],
  ["CH", "EUR", "0.95", "CHF", 181],
  ["GB", "EUR", "0.85", "GBP", 162],
  ["NO", "EUR", "11.5", "NOK", 2185],
  // No minor unit: 1.90 at 150 is 285, and 190 yen are 1.16.
  ["IS", "EUR", "150", "ISK", 285],
  ["DE", "JPY", "0.0061", "EUR", 116],
  ["DE", "KWD", "2.8", "EUR", 53],
])("of a seller in %s, VAT of 190 %s at %s is stated in %s: %i", async (country, currency, rate, national, vat) => {
  const school = await dollars(rated(rate, "2026-01-01", null, currency));
  expectStatus(200, await school.owner.patch("/finance/settings", { country, vat_id: null, tax_number: "1" }));
  expectStatus(200, await school.owner.patch("", { currency }));
  const invoice = await sent(school, [{}]);
  expect(invoice).toMatchObject({ vat_minor: 190, national_currency: national, national_vat_minor: vat });
  expect(await cancelled(school, invoice)).toMatchObject({
    ...{ vat_minor: -190, national_currency: national, national_vat_minor: -vat, exchange_rate: rate },
  });
});

test("a cancellation states the opposite of what it cancels, whatever the rate is by then", async () => {
  const school = await dollars(rated("0.9123"));
  const credit: Body = await creditAfterPayment(school, await sent(school, [{}]));
  expect(credit).toMatchObject(inEuros(-173));
  await setRates(school);
  expectStatus(200, await school.owner.patch("/finance/settings", { country: "US" }));
  expect(await cancelled(school, credit)).toMatchObject(inEuros(173));
  expectStatus(200, await school.owner.patch("/finance/settings", { country: "DE" }));
  await setRates(school, rated("0.9123"));
  const invoice = await sent(school, [{}, { unit_price_minor: 333 }, { unit_price_minor: -100 }]);
  expect(invoice).toMatchObject(inEuros(213));
  await setRates(school, rated("0.5"));
  expect(await cancelled(school, invoice)).toMatchObject(inEuros(-213));
});

test("an invoice whose VAT is beyond all measure in the national currency is not sent, and one at the limit is", async () => {
  const school = await dollars(rated("200000"));
  const line = { quantity: "1.00", unit_price_minor: 1_000_000_000, vat_rate: "0.50" };
  // 0.5 % of 10 million dollars, at 200,000 euros each.
  const atLimit = await sent(school, [line]);
  expect(atLimit.national_vat_minor).toBe(1_000_000_000_000);
  const above = await draft(school, [line, { unit_price_minor: 200 }]);
  expect(refusal(await post(school, above, "send"))).toBe("invoice_not_sendable");
  expect(await read(school, above.id)).toMatchObject({ status: "draft", ...none });
  expectStatus(200, await school.owner.get("/finance/summaries"));
});

test("the credit of a line whose VAT was rounded to zero has the rate of the invoice, too", async () => {
  const school = await dollars(rated("0.9123"));
  const invoice = await sent(school, [{ unit_price_minor: 9 }, { unit_price_minor: 1 }]);
  expect(invoice.lines.map(({ vat_minor }: Body) => vat_minor)).toEqual([2, 0]);
  expect(invoice).toMatchObject(inEuros(2));
  await setRates(school);
  for (const net_minor of [1, 1]) await credited(school, invoice, [{ line_id: invoice.lines[0].id, net_minor }]);
  const rest = await credited(school, invoice);
  expect(rest.lines.map(({ vat_minor }: Body) => vat_minor)).toEqual([-1, -1]);
  expect(rest).toMatchObject({ vat_minor: -2, ...inEuros(-2) });
});

test("credit notes have the rate of the invoice, and give back what it states, in however many parts", async () => {
  const school = await dollars(rated("0.9123"));
  const parts = [1, 99, 333, 333, 1, 7, 226];
  const invoice = await sent(school, [{ unit_price_minor: 1000 }, { unit_price_minor: 777 }]);
  expect(invoice).toMatchObject({ vat_minor: 338, ...inEuros(308) });
  await setRates(school, rated("0.5"));
  let left = 308;
  for (const net_minor of parts) {
    const { vat_minor, ...note } = await credited(school, invoice, [{ line_id: invoice.lines[0].id, net_minor }]);
    expect(note.exchange_rate).toBe(vat_minor === 0 ? null : "0.9123");
    // Within a cent of its own VAT at the rate.
    expect(Math.abs(vat_minor * 0.9123 - note.national_vat_minor)).toBeLessThan(1);
    left += note.national_vat_minor;
    expect(left).toBeGreaterThanOrEqual(0);
  }
  const rest = await credited(school, invoice);
  expect(left + rest.national_vat_minor).toBe(0);
  expect(refusal(await post(school, invoice, "credit", { reason: "Again." }))).toBe("line_credited");
});

test("what a cancelled credit note gave back is given back by the next, to the cent", async () => {
  const school = await dollars(rated("0.3"));
  const invoice = await sent(school, [{ unit_price_minor: 50, vat_rate: "10.00", vat_category: "standard" }]);
  // Of 5 cents 1.5: 2.
  expect(invoice).toMatchObject({ vat_minor: 5, national_vat_minor: 2 });
  const pay = { invoice_id: invoice.id, amount_minor: 55, method: "cash" };
  expectStatus(201, await school.owner.post("/finance/payments", pay));
  const notes: Body[] = [];
  for (const net_minor of [10, 10, 10])
    notes.push(await credited(school, invoice, [{ line_id: invoice.lines[0].id, net_minor }]));
  // What is left of 4, 3 and 2 cents is 2, 1 and 1.
  expect(notes.map((note) => note.national_vat_minor)).toEqual([0, -1, 0]);
  expect((await cancelled(school, notes[1])).national_vat_minor).toBe(1);
  const rest = await credited(school, invoice);
  expect([rest.vat_minor, rest.national_vat_minor]).toEqual([-3, -2]);
});

test("a credit note for an invoice takes no rate of its own, and a change can't name one", async () => {
  const school = await dollars(rated("0.9123"));
  const invoice = await sent(school, [{}]);
  const { id } = expectStatus(201, await post(school, invoice, "credit", { reason: "Wrong." })).body.data;
  const refused = expectStatus(400, await school.owner.patch(`/finance/invoices/${id}`, { exchange_rate: "0.5" }));
  expect(refused.body.issues).toMatchObject([{ path: "body.exchange_rate" }]);
  expectStatus(200, await school.owner.patch(`/finance/invoices/${id}`, { exchange_rate: null, note: "Sorry." }));
  await setRates(school);
  expect(await sendInvoice(school, { id })).toMatchObject(inEuros(-173));
});

const until = "2099-12-31";

test("a run leaves an invoice without a rate a draft, and sends it with one", async () => {
  const school = await dollars();
  const { owner, student } = school;
  const charge = { ...headset, person_id: student.personId };
  expectStatus(201, await owner.post("/finance/charges", charge));
  const run = async (body: object) => expectStatus(200, await owner.post("/finance/invoice-runs", { until, ...body }));
  const [made] = (await run({ send: true })).body.data.invoices;
  expect(made.refusal).toMatchObject({ reason: "exchange_rate_missing", fields: [] });
  expect(await read(school, made.invoice_id)).toMatchObject({ status: "draft", ...none });
  await setRates(school, rated("0.9123"));
  expectStatus(200, await owner.post(`/finance/invoices/${made.invoice_id}/void`, { reason: "Again." }));
  const [again] = (await run({ send: true })).body.data.invoices;
  expect(again.refusal).toBeNull();
  expect(await read(school, again.invoice_id)).toMatchObject({ status: "sent", ...inEuros(173) });
});

test("billing a flight again credits by the old rate and invoices by the present one, or is refused", async () => {
  const school = await dollars(rated("0.9"));
  const { owner, instructor } = school;
  await addRate(school, {});
  const flight = await approvedFlight(school, { blockMinutes: 60 });
  const bill = await draft(school, [], { until });
  const first = await sendInvoice(school, bill);
  expect(first).toMatchObject({ vat_minor: 4275, ...inEuros(3848, "0.9") });
  await setRates(school);
  const rebill = { payer_id: instructor.personId, reason: "They pay.", send: true };
  const path = `/finance/flights/${flight}/rebill`;
  expect(refusal(await owner.post(path, rebill))).toBe("exchange_rate_missing");
  await setRates(school, rated("0.8"));
  const { credit_note_ids, invoice_id } = expectStatus(201, await owner.post(path, rebill)).body.data;
  expect(await read(school, credit_note_ids[0])).toMatchObject(inEuros(-3848, "0.9"));
  expect(await read(school, invoice_id)).toMatchObject(inEuros(3420, "0.8"));
});

test("an invoice that also takes back another has the rates of both", async () => {
  const school = await dollars(rated("0.9"));
  const { owner } = school;
  await addRate(school, {});
  const flight = await approvedFlight(school, { blockMinutes: 60 });
  await sendInvoice(school, await draft(school, [], { until }));
  expectStatus(200, await owner.post(`/flights/${flight}/reverse`, { reason: "Wrong." }));
  await approvedFlight(school, { blockMinutes: 120 });
  await setRates(school, rated("0.8"));
  const mixed = await sendInvoice(school, await draft(school, [], { until }));
  // 85.50 at 0.8, less 38.48 (42.75 at 0.9).
  expect(mixed).toMatchObject({ kind: "invoice", vat_minor: 4275, ...inEuros(6840 - 3848, null) });
  const [page = ""] = await pageOf(school, mixed.id);
  expect(page).toContain("VAT in EUR (several exchange rates) 29.92");
  expect(await cancelled(school, mixed)).toMatchObject(inEuros(3848 - 6840, null));
  // Its own line is credited by its own rate.
  const again: Body = await sendInvoice(school, await draft(school, [], { until }));
  const own = again.lines.find(({ credits_line_id }: Body) => credits_line_id === null);
  await setRates(school);
  const note = await credited(school, again, [{ line_id: own.id }]);
  expect(note).toMatchObject({ vat_minor: -8550, ...inEuros(-6840, "0.8") });
});

async function pageOf({ installation, orgId, owner }: School, id: string): Promise<string[]> {
  const url = `http://localhost/orgs/${orgId}/finance/invoices/${id}/document`;
  const headers = { authorization: `Bearer ${owner.token}` };
  const response = await installation.app.handle(new Request(url, { headers }));
  return (await pdfText(await response.arrayBuffer())).map((page) => page.replaceAll(/\s+/g, " "));
}

test("documents state the VAT in both currencies: the PDF with the rate, in the customer's language, and the XRechnung", async () => {
  const school = await dollars(rated("0.9123"));
  const { owner, student } = school;
  const invoice = await sent(school, [{ unit_price_minor: 123_456 }]);
  const credit = await credited(school, invoice, [{ line_id: invoice.lines[0].id, net_minor: 1000 }]);
  expect((await pageOf(school, invoice.id))[0]).toContain("VAT in EUR (1 USD = 0.9123 EUR) 214.00");
  const customer = { language: "de", email: "ap@example.com" };
  expectStatus(200, await owner.patch(`/finance/customers/${student.personId}`, customer));
  const german = await sent(school, [{ unit_price_minor: 123_456 }]);
  expect((await pageOf(school, german.id))[0]).toContain("USt. in EUR (1 USD = 0,9123 EUR) 214,00");
  expect((await pageOf(school, credit.id))[0]).toContain("VAT in EUR (1 USD = 0.9123 EUR) -1.73");
  for (const [{ id }, vat] of [
    [german, 21_400n],
    // Amounts of a credit note are positive there.
    [await credited(school, german), 21_400n],
  ] as const) {
    const { text } = expectStatus(200, await owner.get(`/finance/invoices/${id}/document?format=xrechnung`));
    const found = readUbl(text);
    expect(brokenRules(found, "xrechnung")).toEqual([]);
    expect([found.currency, found.taxCurrency, found.totals.nationalVat]).toEqual(["USD", "EUR", vat]);
  }
});

test("the export has each line's share and rate, the summary of the month the sum", async () => {
  const school = await dollars(rated("0.9123"));
  const { owner } = school;
  const exempt = { vat_category: "exempt", vat_reason: "§ 4 Nr. 21 UStG" };
  const invoice = await sent(school, [{ unit_price_minor: 333 }, { unit_price_minor: 333 }, exempt]);
  expect(invoice).toMatchObject({ vat_minor: 127, ...inEuros(116) });
  const rows = expectStatus(200, await owner.get("/finance/invoices/export")).body.data;
  const shares = (some: Body[]) =>
    some.map((row) => [row.vat, row.national_vat, row.national_currency, row.exchange_rate].join(" "));
  expect(shares(rows)).toEqual(["0.63 0.57 EUR 0.9123", "0.64 0.59 EUR 0.9123", "0.00  EUR "]);
  await cancelled(school, await sent(school, [{}]));
  await credited(school, invoice, [{ line_id: invoice.lines[0].id, net_minor: 100 }]);
  expectStatus(200, await owner.patch("", { currency: "EUR" }));
  await sent(school, [{}]);
  const { data } = expectStatus(200, await owner.get("/finance/summaries")).body;
  expect(data.map(({ currency, national_vat }: Body) => [currency, national_vat])).toEqual([
    ["EUR", []],
    ["USD", [{ currency: "EUR", vat_minor: 116 - 17 }]],
  ]);
});

test("exchange rates are above 0 with at most ten places, and one of a currency on each day", async () => {
  const { owner } = await dollars();
  const paths = async (...exchange_rates: object[]) => {
    const answer = await owner.patch("/finance/settings", { exchange_rates });
    return answer.status === 200 ? [] : expectStatus(400, answer).body.issues.map(({ path }: Body) => path);
  };
  for (const rate of ["0", "0.0", "0.0000000000", "-1", "1,2", "01.2", ".5", "1.", "0.12345678901", "1234567", "1e3"])
    expect([rate, await paths(rated(rate))]).toEqual([rate, ["body.exchange_rates.0.rate"]]);
  for (const rate of ["0.0000000001", "999999.9999999999", "1", "1.10"]) expect(await paths(rated(rate))).toEqual([]);
  expect((await owner.get("/finance/settings")).body.data.exchange_rates).toEqual([rated("1.10")]);
  expect(await paths(rated("1", "2026-06-02", "2026-06-01"))).toEqual(["body.exchange_rates.0.valid_until"]);
  expect(await paths(rated("1", "2026-06-01", "2026-06-01"), rated("2", "2026-06-02"))).toEqual([]);
  const overlap = "body.exchange_rates.1.valid_from";
  expect(await paths(rated("1", "2026-06-01", "2026-06-02"), rated("2", "2026-06-02"))).toEqual([overlap]);
  expect(await paths(rated("1", "2026-06-01"), rated("2", "2026-07-01"))).toEqual([overlap]);
  expect(await paths(rated("1", "2026-06-01"), rated("2", "2026-07-01", null, "CHF"))).toEqual([]);
  expect(await paths(rated("1", "2026-06-01", null, "XX1"))).toEqual(["body.exchange_rates.0.currency"]);
});
