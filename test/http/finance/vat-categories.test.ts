/** VAT that the school does not charge, as a flight school in Germany meets it: each category with what the law wants of it. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Answer } from "../../support/installation.ts";
import { newSellingSchool } from "../../support/money.ts";
import { pdfText } from "../../support/pdf-text.ts";
import { expectStatus, type School } from "../../support/school.ts";
import { brokenRules } from "../../unit/finance/e-invoice-rules.ts";
import { readUbl } from "../../unit/finance/read-ubl.ts";
import { addRate, approvedFlight, billingOf } from "./school.ts";

// The process that makes e-invoices loads its library in about a second, and in many when others work.
setDefaultTimeout(60_000);

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
type Body = any;

const line = { description: "Training", quantity: "1.00", unit: "piece", unit_price_minor: 100_000 };
const email = { email: "ap@example.com" };
const airline = {
  company: "Linie Lotnicze SA",
  street: "Prosta 1",
  postcode: "00-950",
  city: "Warszawa",
  country: "PL",
};
const austrian = {
  company: "Flieger GmbH",
  street: "Flughafenstraße 1",
  postcode: "5020",
  city: "Salzburg",
  country: "AT",
};
const swissClub = { company: "Fluggruppe", street: "Flugplatz 1", postcode: "2540", city: "Grenchen", country: "CH" };
const place = { street: null, postcode: "1300", city: "Wien", country: "AT" };

const settings = async ({ owner }: School, change: object, status = 200): Promise<Body> =>
  expectStatus(status, await owner.patch("/finance/settings", change)).body;
const customer = async ({ owner, student }: School, change: object): Promise<void> =>
  void expectStatus(200, await owner.patch(`/finance/customers/${student.personId}`, change));

async function draft({ owner, student }: School, vats: object[], terms: object = {}): Promise<Body> {
  const lines = vats.map((vat) => ({ ...line, ...vat }));
  const body = { person_id: student.personId, lines, ...terms };
  return expectStatus(201, await owner.post("/finance/invoices", body)).body.data;
}
const send = ({ owner }: School, { id }: Body): Promise<Answer> => owner.post(`/finance/invoices/${id}/send`);
const sent = async (school: School, invoice: Body): Promise<Body> =>
  expectStatus(200, await send(school, invoice)).body.data;
function refusal(answer: Answer): [string, string[]] {
  const { reason, fields } = expectStatus(409, answer).body.error;
  return [reason, fields];
}

/** Reads its XRechnung, which breaks no rule, and the text of its PDF. */
async function documents({ owner, orgId, installation }: School, { id }: Body) {
  const path = `/finance/invoices/${id}/document`;
  const read = readUbl(expectStatus(200, await owner.get(`${path}?format=xrechnung`)).text);
  expect(brokenRules(read, "xrechnung")).toEqual([]);
  const headers = { authorization: `Bearer ${owner.token}` };
  const pdf = await installation.app.handle(new Request(`http://localhost/orgs/${orgId}${path}`, { headers }));
  return { read, text: (await pdfText(await pdf.arrayBuffer())).join(" ").replaceAll(/\s+/g, " ") };
}

test("a buyer in another member state owes the VAT: both VAT IDs, the address however small, and the words of § 14a (5) UStG", async () => {
  const school = await newSellingSchool();
  await customer(school, { ...email, ...airline, street: null, register_number: "KRS 0000123456" });
  await settings(school, { vat_id: null, tax_number: "044 123" });
  const invoice = await draft(school, [{ vat_category: "reverse_charge", unit_price_minor: 1 }]);
  expect(invoice.lines).toMatchObject([{ vat_rate: "0.00", vat_reason: null, vat_reason_code: "VATEX-EU-AE" }]);

  expect(refusal(await send(school, invoice))).toEqual(["seller_incomplete", ["seller.vat_id"]]);
  await settings(school, { vat_id: "DE123456789" });
  expect(refusal(await send(school, invoice))).toEqual(["buyer_incomplete", ["buyer.street", "buyer.vat_id"]]);
  await customer(school, { street: airline.street, vat_id: "PL5260001246" });
  const done = await sent(school, invoice);
  expect(done).toMatchObject({ vat_minor: 0, gross_minor: 1, deliver_to: null });

  const { read, text } = await documents(school, done);
  expect(read.lines).toMatchObject([{ category: "AE", rate: 0n }]);
  expect(read.subtotals).toMatchObject([{ category: "AE", rate: 0n, vat: 0n, reasonCode: "VATEX-EU-AE" }]);
  expect(read.subtotals[0]?.reason).toContain("Reverse charge");
  expect([read.seller.vatId, read.buyer.vatId]).toEqual(["DE123456789", "PL5260001246"]);
  expect(text).toContain("Reverse charge (Steuerschuldnerschaft des Leistungsempfängers)");
  expect(text).not.toContain("(1)"); // One reason needs no number.
  expect(text).toContain("VAT ID PL5260001246");
});

test("a buyer in the same country owes the VAT with a VAT ID, or the number of a register (BR-AE-02)", async () => {
  const school = await newSellingSchool();
  await customer(school, email);
  await settings(school, { vat_id: null, tax_number: "044 123", register_number: "HRB 1" });
  const invoice = await draft(school, [{ vat_category: "reverse_charge", vat_reason: "§ 13b UStG" }]);
  expect(refusal(await send(school, invoice))).toEqual(["buyer_incomplete", ["buyer.vat_id"]]);
  await customer(school, { register_number: "HRB 99" });
  const { read, text } = await documents(school, await sent(school, invoice));
  expect(read.buyer).toMatchObject({ registration: "HRB 99", vatId: undefined });
  expect(text).toContain("Leistungsempfängers): § 13b UStG");
  expect(text).toContain("Register number HRB 99");

  const other = await draft(school, [{ vat_category: "reverse_charge" }]);
  await customer(school, { register_number: null, vat_id: "DE987654321" });
  await documents(school, await sent(school, other));
});

test("goods go to another member state: both VAT IDs, and a place there, the buyer's or another", async () => {
  const school = await newSellingSchool();
  const K = { vat_category: "intra_community", unit_price_minor: 1 };
  await customer(school, { ...email, ...austrian });
  await settings(school, { vat_id: null, tax_number: "044 123" });
  const invoice = await draft(school, [K, {}]);
  expect(invoice.deliver_to).toBeNull();
  expect(refusal(await send(school, invoice))).toEqual(["seller_incomplete", ["seller.vat_id"]]);
  await settings(school, { vat_id: "DE123456789" });
  expect(refusal(await send(school, invoice))).toEqual(["buyer_incomplete", ["buyer.vat_id"]]);
  await customer(school, { vat_id: "ATU12345678" });
  const done = await sent(school, invoice);
  const home = { street: austrian.street, postcode: "5020", city: "Salzburg", country: "AT" };
  expect(done.deliver_to).toEqual(home);
  const { read, text } = await documents(school, done);
  expect(read.deliveredTo).toMatchObject({ postcode: "5020", city: "Salzburg", country: "AT" });
  expect(read.subtotals.map(({ category, reasonCode }) => [category, reasonCode])).toEqual([
    ["S", undefined],
    ["K", "VATEX-EU-IC"],
  ]);
  expect(text).toContain("intra-Community supply (Art. 138");
  expect(text).toContain("Delivered to Flughafenstraße 1, 5020 Salzburg, Austria");

  const mismatch: ReturnType<typeof refusal> = ["vat_category_mismatch", ["deliver_to.country"]];
  const elsewhere = await draft(school, [K], { deliver_to: place });
  const to = async (deliver_to: object) =>
    expectStatus(200, await school.owner.patch(`/finance/invoices/${elsewhere.id}`, { deliver_to }));
  for (const country of ["DE", "CH", "GB"]) {
    await to({ ...place, country });
    expect(refusal(await send(school, elsewhere))).toEqual(mismatch);
  }
  await to(place);
  expect((await sent(school, elsewhere)).deliver_to).toEqual(place);

  // Northern Ireland has VAT IDs of its own, and is in the United Kingdom; Monaco is in France.
  await customer(school, { vat_id: "XI123456789" });
  for (const there of [
    { country: "GB", postcode: "bt1 1aa" },
    { country: "MC", postcode: "98000" },
  ])
    expectStatus(200, await send(school, await draft(school, [K], { deliver_to: { ...place, ...there } })));
  // The Canary Islands are Spanish, but not in the territory of the directive.
  const canaries = await draft(school, [K], { deliver_to: { ...place, country: "ES", postcode: "35001" } });
  expect(refusal(await send(school, canaries))).toEqual(mismatch);
});

test("goods go to another member state for a buyer whose VAT ID is of a member state, and not the seller's (§ 6a (1) no. 4 UStG)", async () => {
  const school = await newSellingSchool();
  const K = { vat_category: "intra_community" };
  const buying = async (change: object): Promise<Answer> => {
    await customer(school, { ...email, ...austrian, ...change });
    return send(school, await draft(school, [K], { deliver_to: place }));
  };
  for (const vat_id of ["DE987654321", "de 987 654 321", "CHE123456789", "GB123456789"])
    expect([vat_id, refusal(await buying({ vat_id }))]).toEqual([vat_id, ["vat_category_mismatch", ["buyer.vat_id"]]]);
  for (const vat_id of ["atu 123 456 78", "PL5260001246", "EL123456789", "XI123456789"])
    expectStatus(200, await buying({ vat_id }));

  // The seller is where its VAT ID is of: a Greek one begins with EL.
  await settings(school, { vat_id: "EL987654321", country: "GR" });
  expect(refusal(await buying({ vat_id: "EL123456789" }))).toEqual(["vat_category_mismatch", ["buyer.vat_id"]]);
  expectStatus(200, await buying({ vat_id: "DE987654321" }));
  await settings(school, { vat_id: "ATU12345678", country: "AT" });
  expect(refusal(await buying({ vat_id: "DE987654321" }))).toEqual(["vat_category_mismatch", ["deliver_to.country"]]);
});

test("an export goes to a third country: that of the delivery, else that of the buyer (§ 6 UStG)", async () => {
  const school = await newSellingSchool();
  const G = { vat_category: "export", unit_price_minor: 1 };
  const mismatch: ReturnType<typeof refusal> = ["vat_category_mismatch", ["deliver_to.country"]];
  const to = async (deliver_to: object | null) => send(school, await draft(school, [G], { deliver_to }));
  // The buyer is in Langen.
  expect(refusal(await to(null))).toEqual(mismatch);
  for (const there of [
    { country: "AT", postcode: "5020" },
    { country: "MC", postcode: "98000" },
    { country: "GB", postcode: "BT1 1AA" },
    { country: "DE", postcode: "63225" },
    { country: "ES", postcode: "28001" },
  ])
    expect([there, refusal(await to({ ...place, ...there }))]).toEqual([there, mismatch]);
  for (const there of [
    { country: "CH", postcode: "2540" },
    { country: "GB", postcode: "B1 1AA" },
    // Heligoland, and the Canary Islands (Art. 6 of Directive 2006/112/EC).
    { country: "DE", postcode: "27498" },
    { country: "ES", postcode: "35 001" },
  ])
    expectStatus(200, await to({ ...place, ...there }));
  await customer(school, { street: null, postcode: null, city: null, country: null });
  expect(refusal(await to(null))).toEqual(mismatch);
  await customer(school, swissClub);
  expectStatus(200, await to(null));
  expect(refusal(await to(place))).toEqual(mismatch);
  // What a seller outside the EU exports is a matter of its own law.
  await settings(school, { country: "CH", vat_id: "CHE123456789" });
  expectStatus(200, await to(place));
});

test("a buyer in another member state owes the VAT by a VAT ID of a member state, and not the seller's (Art. 196)", async () => {
  const school = await newSellingSchool();
  const buying = async (change: object): Promise<Answer> => {
    await customer(school, { ...email, ...austrian, ...change });
    return send(school, await draft(school, [{ vat_category: "reverse_charge" }]));
  };
  // For services, Northern Ireland is no member state.
  for (const vat_id of ["DE987654321", "CHE123456789", "XI123456789"])
    expect([vat_id, refusal(await buying({ vat_id }))]).toEqual([vat_id, ["vat_category_mismatch", ["buyer.vat_id"]]]);
  for (const vat_id of ["ATU12345678", "EL123456789"]) expectStatus(200, await buying({ vat_id }));
  const inMonaco = { country: "MC", postcode: "98000", city: "Monaco" };
  expectStatus(200, await buying({ ...inMonaco, vat_id: "FR12345678901" }));
  const unnumbered = await buying({ ...inMonaco, vat_id: null, register_number: "RCI 1" });
  expect(refusal(unnumbered)).toEqual(["buyer_incomplete", ["buyer.vat_id"]]);
  // In the seller's own country, and outside the EU, any number will do.
  expectStatus(200, await buying({ country: "DE", postcode: "63225", vat_id: "DE987654321" }));
  expectStatus(200, await buying({ ...swissClub, vat_id: null, register_number: "CH-1" }));
});

test("a credit note has the categories of what it credits, though the buyer's VAT ID and place are others now", async () => {
  const school = await newSellingSchool();
  const { owner } = school;
  const sell = (vat_category: string) => draft(school, [{ vat_category }]).then((one) => sent(school, one));
  await customer(school, { ...email, ...swissClub });
  const exported = await sell("export");
  await customer(school, { ...austrian, vat_id: "ATU12345678" });
  const others = [await sell("intra_community"), await sell("reverse_charge")];
  await customer(school, {
    street: "Feldweg 1",
    postcode: "63225",
    city: "Langen",
    country: "DE",
    vat_id: "DE987654321",
  });
  for (const { id } of [exported, ...others]) {
    const credit = await owner.post(`/finance/invoices/${id}/credit`, { reason: "Back." });
    await sent(school, expectStatus(201, credit).body.data);
  }
});

test("the address to which goods go has a city, a country, and a postcode where there are such", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const body = { person_id: student.personId, lines: [line] };
  for (const [change, path] of [
    [{ postcode: null }, "body.deliver_to.postcode"],
    [{ country: "QQ" }, "body.deliver_to.country"],
    [{ city: null }, "body.deliver_to.city"],
  ] as const) {
    const answer = await owner.post("/finance/invoices", { ...body, deliver_to: { ...place, ...change } });
    expect(expectStatus(400, answer).body.issues).toMatchObject([{ path }]);
  }
  const emirates = { ...place, postcode: null, country: "AE" };
  expectStatus(201, await owner.post("/finance/invoices", { ...body, deliver_to: emirates }));
});

test("an export names the seller's VAT ID", async () => {
  const school = await newSellingSchool();
  await customer(school, { ...email, ...swissClub });
  await settings(school, { vat_id: null, tax_number: "044 123" });
  const invoice = await draft(school, [{ vat_category: "export" }]);
  expect(refusal(await send(school, invoice))).toEqual(["seller_incomplete", ["seller.vat_id"]]);
  await settings(school, { vat_id: "DE123456789" });
  const { read, text } = await documents(school, await sent(school, invoice));
  expect(read.subtotals).toMatchObject([{ category: "G", rate: 0n, reasonCode: "VATEX-EU-G" }]);
  expect(text).toContain("export outside the EU (Art. 146");
});

test("what is not subject to VAT states no VAT ID, so a tax number, and is not mixed with anything else", async () => {
  const school = await newSellingSchool();
  const { owner } = school;
  await customer(school, { ...email, ...swissClub, vat_id: "CHE123456789", language: "de" });
  const O = { vat_category: "outside_scope", vat_reason: "Leistungsort Schweiz, § 3a Abs. 2 UStG" };
  const mixed = await draft(school, [O, { vat_category: "export" }]);
  expect(refusal(await send(school, mixed))).toEqual(["seller_incomplete", ["seller.tax_number"]]);
  await settings(school, { tax_number: "044 123", register_number: "HRB 1" });
  expect(refusal(await send(school, mixed))).toEqual(["vat_category_mismatch", ["lines"]]);

  const lines = [{ ...line, ...O }];
  expectStatus(200, await owner.patch(`/finance/invoices/${mixed.id}`, { lines }));
  const done = await sent(school, mixed);
  expect([done.seller.vat_id, done.seller.tax_number, done.buyer.vat_id]).toEqual([null, "044 123", null]);
  const { read, text } = await documents(school, done);
  expect(read.lines).toMatchObject([{ category: "O", rate: undefined }]);
  expect(read.subtotals).toMatchObject([{ category: "O", rate: 0n, reasonCode: "VATEX-EU-O" }]);
  expect(text).toContain("Nicht steuerbar: Leistungsort Schweiz, § 3a Abs. 2 UStG");
  for (const id of ["DE123456789", "CHE123456789"]) expect(text).not.toContain(id);

  // What corrects it states none either.
  const credit = expectStatus(201, await owner.post(`/finance/invoices/${done.id}/credit`, { reason: "Back." })).body;
  expect(await sent(school, credit.data)).toMatchObject({ seller: { vat_id: null }, buyer: { vat_id: null } });
  await documents(school, credit.data);
});

test("a run invoices what is not subject to VAT by itself, as its preview says", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  await settings(school, { tax_number: "044 123" });
  for (const vat_category of ["standard", "outside_scope", "zero", "outside_scope"]) {
    const vat_rate = vat_category === "standard" ? "19.00" : "0.00";
    const charge = { ...line, person_id: student.personId, vat_category, vat_rate };
    expectStatus(201, await owner.post("/finance/charges", charge));
  }
  const until = "2099-01-01";
  const preview = expectStatus(200, await owner.get(`/finance/invoice-runs/preview?until=${until}`)).body.data.invoices;
  const run = expectStatus(200, await owner.post("/finance/invoice-runs", { until, send: true })).body.data.invoices;
  expect(run).toMatchObject([
    { charges: 2, vat_minor: 19_000, refusal: null },
    { charges: 2, vat_minor: 0, refusal: null },
  ]);
  expect(run.map((one: Body) => ({ ...one, invoice_id: null }))).toEqual(preview);
});

test("a credit note and a cancellation of goods state where they went, though the buyer's address changed", async () => {
  const school = await newSellingSchool();
  const { owner } = school;
  await customer(school, { ...email, ...austrian, vat_id: "ATU12345678" });
  const sell = () => draft(school, [{ vat_category: "intra_community" }]).then((one) => sent(school, one));
  const [one, other] = [await sell(), await sell()];
  await customer(school, { street: "Feldweg 1", postcode: "63225", city: "Langen", country: "DE" });
  const credit = expectStatus(201, await owner.post(`/finance/invoices/${one.id}/credit`, { reason: "Back." })).body;
  const given = await sent(school, credit.data);
  const cancellation = expectStatus(
    201,
    await owner.post(`/finance/invoices/${other.id}/cancel`, { reason: "Wrong." }),
  );
  for (const document of [given, cancellation.body.data]) {
    expect(document.deliver_to).toEqual(one.deliver_to);
    expect((await documents(school, document)).read.subtotals).toMatchObject([{ category: "K", vat: 0n }]);
  }
});

test("a category, its rate, its reason and the code of the reason fit", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const charge = (vat: object) => owner.post("/finance/charges", { ...line, person_id: student.personId, ...vat });
  for (const [vat, path] of [
    ...["exempt", "zero", "reverse_charge", "intra_community", "export", "outside_scope"].map(
      (vat_category) => [{ vat_category, vat_rate: "0.01", vat_reason: null }, "vat_rate"] as const,
    ),
    [{ vat_category: "exempt", vat_reason_code: "VATEX-EU-132-1I" }, "vat_reason"],
    [{ vat_category: "zero", vat_reason: "Art. 1" }, "vat_reason"],
    [{ vat_category: "zero", vat_reason_code: "VATEX-EU-132" }, "vat_reason_code"],
    [{ vat_category: "standard", vat_rate: "19.00", vat_reason_code: "VATEX-EU-132" }, "vat_reason_code"],
    [{ vat_category: "exempt", vat_reason: "§ 4", vat_reason_code: "VATEX-EU-AE" }, "vat_reason_code"],
    [{ vat_category: "reverse_charge", vat_reason_code: "VATEX-EU-132" }, "vat_reason_code"],
    [{ vat_category: "export", vat_reason_code: "VATEX-EU-QQ" }, "vat_reason_code"],
  ] as const)
    expect(expectStatus(400, await charge(vat)).body.issues).toMatchObject([{ path: `body.${path}` }]);

  const education = { vat_category: "exempt", vat_reason: "§ 4 Nr. 21 UStG", vat_reason_code: "vatex-eu-132-1i" };
  const data = expectStatus(201, await charge(education)).body.data;
  expect(data).toMatchObject({ vat_rate: "0.00", vat_reason_code: "VATEX-EU-132-1I" });
});

test("the code of settings and rates follows the category, and is inherited with its reason only", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const education = { vat_category: "exempt", vat_rate: "0.00", vat_reason: "§ 4 Nr. 21 UStG" };
  const code = { vat_reason_code: "VATEX-EU-132-1I" };
  expect((await settings(school, { ...education, ...code })).data).toMatchObject(code);
  const charged = async (vat: object) =>
    expectStatus(201, await owner.post("/finance/charges", { ...line, person_id: student.personId, ...vat })).body.data
      .vat_reason_code;
  expect(await charged({})).toBe("VATEX-EU-132-1I");
  expect(await charged({ vat_reason: "§ 4 Nr. 22 UStG" })).toBeNull();
  expect(await charged({ vat_category: "exempt", vat_reason: education.vat_reason })).toBe("VATEX-EU-132-1I");
  expect(await charged({ vat_category: "export" })).toBe("VATEX-EU-G");

  const rate = `/finance/rates/${await addRate(school, {})}`;
  const change = async (vat: object) => expectStatus(200, await owner.patch(rate, vat)).body.data;
  expect(await change({ price_minor: 900 })).toMatchObject({ ...education, ...code });
  const reverse = { vat_category: "reverse_charge", vat_reason: null };
  expect(await change(reverse)).toMatchObject({ ...reverse, vat_reason_code: "VATEX-EU-AE" });
  expect(await change({ vat_reason_code: null })).toMatchObject({ vat_reason_code: "VATEX-EU-AE" });
  expect(await change({ vat_reason_code: "VATEX-FR-AE" })).toMatchObject({ vat_reason_code: "VATEX-FR-AE" });
  expect((await billingOf(school, await approvedFlight(school))).charges).toMatchObject([
    { vat_category: "reverse_charge", vat_reason_code: "VATEX-FR-AE" },
  ]);

  const taxed = { vat_category: "standard", vat_rate: "19.00", vat_reason: null };
  expect((await settings(school, taxed)).data).toMatchObject({ ...taxed, vat_reason_code: null });
});

test("packages, their sales, previews, exports, the journal and summaries have the category and the code", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  await customer(school, { ...email, ...airline, vat_id: "PL5260001246" });
  const vat = { vat_category: "reverse_charge", vat_reason_code: "VATEX-EU-AE" };
  await addRate(school, vat);
  const { id: flight } = await school.submitFlight(student);
  expect(expectStatus(200, await owner.get(`/finance/flights/${flight}/preview`)).body.data.lines).toMatchObject([vat]);
  const hours = {
    person_id: student.personId,
    name: "10 hours",
    uses: "aircraft",
    quantity: "600.00",
    price_minor: 100,
  };
  expect(expectStatus(201, await owner.post("/finance/packages", { ...hours, ...vat })).body.data).toMatchObject(vat);
  const invoice = { person_id: student.personId, until: "2099-01-01" };
  const drafted = expectStatus(201, await owner.post("/finance/invoices", invoice)).body.data;
  expect(drafted.vat).toEqual([{ ...vat, vat_rate: "0.00", vat_reason: null, net_minor: 100, vat_minor: 0 }]);
  const done = await sent(school, drafted);

  const exported = expectStatus(200, await owner.get("/finance/invoices/export")).body.data;
  expect(exported).toMatchObject([{ ...vat, net: "1.00", vat: "0.00", buyer_vat_id: "PL5260001246" }]);
  const journal = expectStatus(200, await owner.get("/finance/journal")).body.data;
  expect(journal.find(({ account }: Body) => account === "revenue")).toMatchObject({ vat_category: "reverse_charge" });
  const [month] = expectStatus(200, await owner.get("/finance/summaries")).body.data;
  expect(month.vat).toEqual([{ vat_category: "reverse_charge", vat_rate: "0.00", net_minor: 100, vat_minor: 0 }]);
  const key = await school.apiKey("public.invoices:read");
  const shown = expectStatus(200, await school.publicGet(`/invoices/${done.id}`, key)).body.data;
  expect([shown.vat[0], shown.line_items[0]]).toMatchObject([vat, vat]);
});

test("a small business has no intra-community supplies (Art. 139 (1)), but buyers may owe the VAT", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  await customer(school, { ...email, ...austrian, vat_id: "ATU12345678" });
  const before = await draft(school, [{ vat_category: "intra_community" }]);
  await settings(school, { small_business: true });
  expect(expectStatus(409, await send(school, before)).body.error.reason).toBe("vat_not_allowed");
  const charge = { ...line, person_id: student.personId };
  const refused = await owner.post("/finance/charges", { ...charge, vat_category: "intra_community" });
  expect(expectStatus(400, refused).body.issues).toMatchObject([{ path: "body.vat_category" }]);
  for (const vat_category of ["reverse_charge", "export", "outside_scope"])
    expectStatus(201, await owner.post("/finance/charges", { ...charge, vat_category }));
});
