/** What the PDF file of an invoice states besides its amounts. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { headset, newInvoice, newSellingSchool, sendInvoice } from "../../support/money.ts";
import { pdfText } from "../../support/pdf-text.ts";
import { expectStatus, type Member, type School } from "../../support/school.ts";
import { brokenRules } from "../../unit/finance/e-invoice-rules.ts";
import { readUbl } from "../../unit/finance/read-ubl.ts";
import { addRate, approvedFlight } from "./school.ts";

// The process that makes e-invoices loads its library in about a second, and in many when others work.
setDefaultTimeout(60_000);

async function pageOf({ installation, orgId }: School, { token }: Member, id: string): Promise<string> {
  const url = `http://localhost/orgs/${orgId}/finance/invoices/${id}/document`;
  const response = await installation.app.handle(new Request(url, { headers: { authorization: `Bearer ${token}` } }));
  const [page = ""] = await pdfText(await response.arrayBuffer());
  return page;
}

/** Bills a flight, reverses it, and bills another on an invoice that also takes back the first. */
async function mixed(school: School, language: string) {
  const { owner, student } = school;
  expectStatus(200, await owner.patch("/finance/settings", { language }));
  expectStatus(200, await owner.patch(`/finance/customers/${student.personId}`, { email: "ap@example.com" }));
  await addRate(school, {});
  const bill = async () => {
    const body = { person_id: student.personId, until: "2099-01-01" };
    const { id } = expectStatus(201, await owner.post("/finance/invoices", body)).body.data;
    return expectStatus(200, await owner.post(`/finance/invoices/${id}/send`)).body.data;
  };
  const flight = await approvedFlight(school, { blockMinutes: 60 });
  const first = await bill();
  expectStatus(200, await owner.post(`/flights/${flight}/reverse`, { reason: "Wrong." }));
  await approvedFlight(school, { blockMinutes: 90 });
  return { first, second: await bill() };
}

test("an invoice that takes back what another one billed names it: by its number and date, in its head, on the line and in data", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const { first, second } = await mixed(school, "en");
  const { id, number, issued_date } = first;
  expect(second).toMatchObject({ kind: "invoice", number: "INV-2026-00002", credits_id: null });
  const named = { id, number, issued_date };
  expect(second.corrects).toEqual([named]);
  expect(first.corrects).toEqual([]);
  const credited = second.lines.map((line: { credits_invoice_id: string | null }) => line.credits_invoice_id);
  expect(credited.toSorted()).toEqual([id, null].toSorted());
  const key = await school.apiKey("public.invoices:read");
  expect(expectStatus(200, await school.publicGet(`/invoices/${second.id}`, key)).body.data.corrects).toEqual([named]);

  const page = (await pageOf(school, student, second.id)).replaceAll(/\s+/g, " ");
  expect(page).toContain("Credits INV-2026-00001 of 2026-06-14 Our VAT ID");
  expect(page).toContain("Flight time D-EABC Credits INV-2026-00001 of 2026-06-14 -60 min");
  expect(page).toContain("Flight time D-EABC 90 min");
  const xml = expectStatus(200, await owner.get(`/finance/invoices/${second.id}/document?format=xrechnung`)).text;
  const read = readUbl(xml);
  expect(brokenRules(read, "xrechnung")).toEqual([]);
  expect([read.type, read.credits, read.creditedDays]).toEqual(["380", [number], [issued_date]]);
  expect(read.lines.map(({ note }) => note).toSorted()).toEqual([`Credits ${number} of ${issued_date}`, undefined]);
});

test("an invoice that takes back what another one billed says so in German", async () => {
  const school = await newSellingSchool();
  const { second } = await mixed(school, "de");
  const page = (await pageOf(school, school.student, second.id)).replaceAll(/\s+/g, " ");
  expect(page).toContain("Flugzeit D-EABC Korrigiert INV-2026-00001 vom 14.06.2026 -60 Min.");
  expect(page).toContain("Korrigiert INV-2026-00001 vom 14.06.2026 Unsere USt-IdNr.");
});

test("an invoice that takes back a part of one in another language is in the customer's", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const charge = { person_id: student.personId, ...headset };
  const add = async () => expectStatus(201, await owner.post("/finance/charges", charge)).body.data.id;
  const charge_id = await add();
  const bill = async () => {
    const body = { person_id: student.personId, until: "2099-01-01" };
    return sendInvoice(school, expectStatus(201, await owner.post("/finance/invoices", body)).body.data);
  };
  expect(await bill()).toMatchObject({ language: "en" });
  expectStatus(200, await owner.patch(`/finance/customers/${student.personId}`, { language: "de" }));
  expectStatus(200, await owner.post(`/finance/charges/${charge_id}/reverse`, { reason: "Wrong." }));
  for (const _ of [1, 2]) await add();
  expect(await bill()).toMatchObject({ kind: "invoice", language: "de" });
});

test("a credit note that credits several invoices says of each line which", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const charges: string[] = [];
  const bill = async () => {
    const body = { person_id: student.personId, until: "2099-01-01" };
    return sendInvoice(school, expectStatus(201, await owner.post("/finance/invoices", body)).body.data);
  };
  for (const _ of [1, 2]) {
    const charge = { person_id: student.personId, ...headset };
    charges.push(expectStatus(201, await owner.post("/finance/charges", charge)).body.data.id);
    await bill();
  }
  for (const id of charges) expectStatus(200, await owner.post(`/finance/charges/${id}/reverse`, { reason: "Wrong." }));
  const { id } = await bill();
  const page = (await pageOf(school, student, id)).replaceAll(/\s+/g, " ");
  for (const number of ["INV-2026-00001", "INV-2026-00002"])
    expect(page).toContain(`Headset Credits ${number} of 2026-06-14 -1 piece`);
});

test("a credit note names its invoice", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const { id } = await newInvoice(school);
  const { number } = expectStatus(200, await owner.post(`/finance/invoices/${id}/send`)).body.data;
  const drafted = await owner.post(`/finance/invoices/${id}/credit`, { reason: "Broken." });
  const credit = expectStatus(201, drafted).body.data;
  await sendInvoice(school, credit);
  expect(await pageOf(school, student, credit.id)).toContain(`${number} of 2026-06-14`);
});
