/** Documents and mails are in the language of the customer. */
import { expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { languages } from "../../../src/core/languages.ts";
import { completeBuyer, completeSeller, headset, newSellingSchool, sendInvoice } from "../../support/money.ts";
import { pdfText } from "../../support/pdf-text.ts";
import { expectStatus, type School } from "../../support/school.ts";
import { readUbl } from "../../unit/finance/read-ubl.ts";
import { newMailingSchool } from "../notifications/mailing.ts";
import { foreignIn } from "./foreign-words.ts";
import { addRate, approvedFlight, billingOf, dual, from, usualRates } from "./school.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const fetched = async ({ installation, orgId, owner }: School, path: string, accept = "*/*") =>
  installation.app.handle(
    new Request(`http://localhost/orgs/${orgId}${path}`, {
      headers: { authorization: `Bearer ${owner.token}`, accept },
    }),
  );

async function pdfOf(school: School, id: string): Promise<string> {
  const response = await fetched(school, `/finance/invoices/${id}/document`);
  return (await pdfText(await response.arrayBuffer())).join(" ").replaceAll(/\s+/g, " ");
}

const xmlOf = async (school: School, id: string) =>
  (await fetched(school, `/finance/invoices/${id}/document?format=xrechnung`)).text();

async function statementOf(school: School, query = ""): Promise<string> {
  const path = `/people/${school.student.personId}/account/statement${query}`;
  const response = await fetched(school, path, "application/pdf");
  return (await pdfText(await response.arrayBuffer())).join(" ").replaceAll(/\s+/g, " ");
}

const speaks = async ({ owner, student }: School, language: string | null) =>
  expectStatus(
    200,
    await owner.patch(`/finance/customers/${student.personId}`, { language, customer_number: "10042" }),
  );

async function drafted({ owner, student }: School, body: object = { lines: [headset] }): Promise<Body> {
  return expectStatus(201, await owner.post("/finance/invoices", { person_id: student.personId, ...body })).body.data;
}

const act = async ({ owner }: School, id: string, action: string, body?: object): Promise<Body> =>
  expectStatus(201, await owner.post(`/finance/invoices/${id}/${action}`, body)).body.data;

test.each(languages)(
  "every document and mail of a customer is in %s, with no word of the other",
  async (language) => {
    const school = await newMailingSchool();
    await completeSeller(school);
    await completeBuyer(school, school.student.personId);
    await speaks(school, language);
    const { installation, owner, student } = school;
    expectStatus(200, await owner.patch("/finance/settings", { payment_days: 0, legal_name: "Aero & Co." }));
    expectStatus(200, await owner.patch(`/people/${school.instructor.personId}`, { name: "Ida Berg" }));
    // What a flight raises, also with fuel, and an exempt line.
    await usualRates(school);
    await addRate(school, { kind: "fuel_surcharge", price_minor: 1000 });
    await addRate(school, { aircraft_id: school.aircraftId, person_id: student.personId, fuel: "dry" });
    await addRate(school, { kind: "fuel", price_minor: 300 });
    await approvedFlight(school, { body: { ...dual(school), day_landings: 3, fuel_uplift_litres: "20.00" } });
    const line = { ...headset, description: "XC-7", vat_category: "exempt", vat_reason: "§ 4 Nr. 21 UStG" };
    const { id } = await sendInvoice(school, await drafted(school, { until: "2099-12-31", lines: [line] }));
    const credit = await act(school, id, "credit", { reason: "7B" });
    await sendInvoice(school, credit);
    const other = await sendInvoice(school, await drafted(school, { lines: [{ ...headset, description: "XC-8" }] }));
    const cancellation = await act(school, other.id, "cancel", { reason: "8C" });
    const late = await sendInvoice(school, await drafted(school, { lines: [{ ...headset, description: "XC-9" }] }));
    const payment = { invoice_id: late.id, amount_minor: 100, method: "bank_transfer" };
    expectStatus(201, await owner.post("/finance/payments", payment));
    expectStatus(201, await owner.post("/finance/payments", { ...payment, method: "cash", amount_minor: 50 }));

    const texts = {
      invoice: await pdfOf(school, id),
      credit: await pdfOf(school, credit.id),
      cancellation: await pdfOf(school, cancellation.id),
      statement: await statementOf(school, `?from=${from}&to=2099-01-01`),
    };
    const xml = await Promise.all([id, credit.id, cancellation.id].map((one) => xmlOf(school, one)));
    await school.send();
    installation.clock.advance(days(40));
    await installation.scheduler.runNow("invoice-overdue");
    await school.send();
    const mails = school.sent().map(({ subject, text }) => `${subject}\n${text}`);
    expect(mails).toHaveLength(5);

    // `VAT` is a code there.
    const contents = xml.join(" ").replaceAll(/<[^>]+>|\bVAT\b/g, " ");
    const all = { ...texts, xml: contents, mails: mails.join("\n") };
    const names = /Sam Student|Ida Berg|School \d+|\S+@\S+/g;
    for (const [name, text] of Object.entries(all)) {
      expect([name, foreignIn(text.replaceAll(names, ""), language)]).toEqual([name, []]);
    }
    // The check finds the words of the other language, where they are.
    const another = language === "en" ? "de" : "en";
    for (const text of Object.values(all)) expect(foreignIn(text, another)).not.toEqual([]);
    await installation.close();
  },
  300_000,
);

test("a document has the language in which it was sent, and what corrects it has the same", async () => {
  const school = await newSellingSchool();
  const { owner } = school;
  await speaks(school, "de");
  const draft = await drafted(school);
  expect(draft.language).toBeNull();
  const sent: Body = await sendInvoice(school, draft);
  const other: Body = await sendInvoice(school, await drafted(school));
  expect([sent.language, other.language]).toEqual(["de", "de"]);
  const waiting = await drafted(school);

  await speaks(school, "en");

  expect(await pdfOf(school, sent.id)).toContain(`Rechnung ${sent.number}`);
  const credit = await act(school, sent.id, "credit", { reason: "7B" });
  const cancellation = await act(school, other.id, "cancel", { reason: "8C" });
  const credited: Body = await sendInvoice(school, credit);
  expect([credited.language, cancellation.language]).toEqual(["de", "de"]);
  expect(await pdfOf(school, credit.id)).toContain(`Rechnungskorrektur ${credited.number}`);
  const { headers } = await fetched(school, `/finance/invoices/${credit.id}/document?format=xrechnung`);
  expect(headers.get("content-disposition")).toContain(`filename="Rechnungskorrektur ${credited.number}.xml"`);
  const cancelled = await pdfOf(school, cancellation.id);
  expect(cancelled).toContain(`Stornorechnung ${cancellation.number}`);
  expect(cancelled).toContain(`Storniert ${other.number} vom 14.06.2026`);
  // A draft is sent in the language of the day.
  expect(await sendInvoice(school, waiting)).toMatchObject({ language: "en" });
  expect(await pdfOf(school, waiting.id)).toContain("Invoice INV-");
  expect((await owner.get(`/finance/invoices/${sent.id}`)).body.data.language).toBe("de");
});

test("a credit note of a run has the language of the invoice that its lines credit", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  await speaks(school, "de");
  const charge = { person_id: student.personId, ...headset };
  const { id } = expectStatus(201, await owner.post("/finance/charges", charge)).body.data;
  await sendInvoice(school, await drafted(school, { charge_ids: [id] }));
  expectStatus(200, await owner.post(`/finance/charges/${id}/reverse`, { reason: "7B" }));
  await speaks(school, "en");
  const run = await owner.post("/finance/invoice-runs", { until: "2099-12-31", send: true });
  const [made] = expectStatus(200, run).body.data.invoices;
  expect(made.kind).toBe("credit_note");
  expect((await owner.get(`/finance/invoices/${made.invoice_id}`)).body.data.language).toBe("de");
});

test("customers without a language have that of the settings, English by default", async () => {
  const school = await newSellingSchool();
  const { owner } = school;
  const next = async (): Promise<Body> => sendInvoice(school, await drafted(school));
  expect((await owner.get("/finance/settings")).body.data.language).toBe("en");
  expect(await next()).toMatchObject({ language: "en" });
  expectStatus(200, await owner.patch("/finance/settings", { language: "de" }));
  expect(await next()).toMatchObject({ language: "de" });
  expect(await statementOf(school)).toContain("Kontoauszug");
  await speaks(school, "en");
  expect(await next()).toMatchObject({ language: "en" });
  expect(await statementOf(school)).toContain("Statement of account");
  await speaks(school, null);
  expect(await next()).toMatchObject({ language: "de" });
  const { headers } = await fetched(school, `/people/${school.student.personId}/account/statement`, "application/pdf");
  expect(headers.get("content-disposition")).toBe('attachment; filename="Kontoauszug.pdf"');
  for (const path of ["/finance/settings", `/finance/customers/${school.student.personId}`])
    expectStatus(400, await owner.patch(path, { language: "fr" }));
  expectStatus(400, await owner.patch("/finance/settings", { language: null }));
});

test("what a flight raises is in the payer's language on the day of the charge", async () => {
  const school = await newSellingSchool();
  await usualRates(school);
  const descriptions = async () => {
    const { charges } = await billingOf(school, await approvedFlight(school, { body: dual(school) }));
    return charges.map(({ description }: Body) => description);
  };
  await speaks(school, "de");
  const german = await descriptions();
  expect(german).toContain("Flugausbildung durch Ines Instructor");
  expect(german.filter((text: string) => /^Flugzeit D-\w+$/.test(text))).toHaveLength(1);
  expect(german.some((text: string) => text.startsWith("Landegebühr"))).toBe(true);
  await speaks(school, "en");
  const english = await descriptions();
  expect(english).toContain("Instructor Ines Instructor");
  expect(english.filter((text: string) => /^Flight time D-\w+$/.test(text))).toHaveLength(1);
});

test("numbers, dates, units and the country have the form of the language", async () => {
  const school = await newSellingSchool();
  const lines = [
    { ...headset, quantity: "2.50", unit_price_minor: 123_456 },
    { ...headset, quantity: "1.00", unit: "landing", unit_price_minor: 700 },
    { ...headset, quantity: "3.00", unit: "landing", unit_price_minor: 700, vat_rate: "5.50" },
  ];
  const expected = {
    de: [
      "14.06.2026 Headset 2,5 Stück 1.234,56 19 % 3.086,40",
      "1 Landung 7,00 19 % 7,00",
      "3 Landungen 7,00 5,5 % 21,00",
      "zzgl. 19 % USt. auf 3.093,40 587,75",
      "Gesamtbetrag, EUR 3.703,31",
      "Leistungsdatum 14.06.2026",
      "Zahlbar bis 28.06.2026",
      "Kundennummer 10042",
      "Rechnungsempfänger Sam Student Feldweg 1 63225 Langen Deutschland",
      "Bitte überweisen Sie 3.703,31 EUR bis zum 28.06.2026",
    ],
    en: [
      "2026-06-14 Headset 2.5 pieces 1,234.56 19 % 3,086.40",
      "1 landing 7.00 19 % 7.00",
      "3 landings 7.00 5.5 % 21.00",
      "plus 19 % VAT on 3,093.40 587.75",
      "Total, EUR 3,703.31",
      "Date of supply 2026-06-14",
      "Due on 2026-06-28",
      "Customer number 10042",
      "Bill to Sam Student Feldweg 1 63225 Langen Germany",
      "Please pay 3,703.31 EUR by 2026-06-28",
    ],
  };
  for (const language of languages) {
    await speaks(school, language);
    const { id } = await sendInvoice(school, await drafted(school, { lines }));
    const text = await pdfOf(school, id);
    for (const part of expected[language]) expect(text).toContain(part);
  }
});

test("the period of supply is from the first to the last day of the lines", async () => {
  const school = await newSellingSchool();
  await speaks(school, "de");
  const lines = ["2026-06-03", "2026-05-28", "2026-06-01"].map((on) => ({ ...headset, on }));
  const { id } = await sendInvoice(school, await drafted(school, { lines }));
  expect(await pdfOf(school, id)).toContain("Leistungszeitraum 28.05.2026 – 03.06.2026");
});

test("a small business says why it charges no VAT, in the language of the document, also in e-invoices", async () => {
  const school = await newSellingSchool();
  expectStatus(200, await school.owner.patch("/finance/settings", { small_business: true, language: "de" }));
  const sentences = {
    de: "Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.",
    en: "No VAT is charged, small business under § 19 UStG (German VAT Act).",
  };
  for (const language of languages) {
    await speaks(school, language);
    const { id } = await sendInvoice(school, await drafted(school));
    expect(await pdfOf(school, id)).toContain(sentences[language]);
    const read = readUbl(await xmlOf(school, id));
    expect(read.subtotals).toMatchObject([{ category: "E", reason: sentences[language] }]);
    expect(read.lines).toMatchObject([{ note: sentences[language] }]);
    expect(read.buyer.id).toBe("10042");
  }
});
