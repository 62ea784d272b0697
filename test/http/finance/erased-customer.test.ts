/** What an erasure leaves of a customer, once the law lets the books go: figures, numbers and days. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { isId } from "../../../src/core/ids.ts";
import { keepDocument } from "../../../src/modules/finance/documents/kept-documents.ts";
import { check } from "../../../src/modules/operations/commands.ts";
import { verifyAuditLogs } from "../../../src/modules/operations/verify-audit.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { completeBuyer, newInvoice, newSellingSchool, sendInvoice, useCurrency } from "../../support/money.ts";
import { unexamined } from "../../support/operator.ts";
import { expectStatus, password, type School } from "../../support/school.ts";
import { tracesOf } from "../../support/traces.ts";
import { tenantOf } from "../maintenance/maintaining.ts";
import { addRate, approvedFlight } from "./school.ts";

/** In each text that a member writes. */
const MARK = "xqmark";
const text = (what: string) => `${what} for Zelda Quux, ${MARK}.`;
const words = ["Zelda", "Quux", MARK, "Quuxstr", "ATU12345675", "C-4711"];
const lastDay = "2036-12-31T22:00:00.000Z";
const after = "2037-01-02T12:00:00.000Z";

interface Document {
  id: string;
}

type Books = School<Installation>;

/** The owner's requests after years. */
async function later({ installation, owner, orgId }: Books, at: string) {
  installation.clock.set(at);
  const signIn = { email: owner.email, password };
  const { access_token: token } = expectStatus(
    200,
    await installation.call("POST", "/auth/login", { body: signIn }),
  ).body;
  return {
    token,
    get: (path: string) => installation.call("GET", `/orgs/${orgId}${path}`, { token }),
    post: (path: string, body?: object) =>
      installation.call("POST", `/orgs/${orgId}${path}`, { token, ...(body && { body }) }),
  };
}

const documentAt = ({ installation, orgId }: Books, token: string, { id }: Document, format: string) =>
  installation.call("GET", `/orgs/${orgId}/finance/invoices/${id}/document?format=${format}`, { token });

const formats = ["pdf", "xrechnung", "factur-x"];

async function newCustomer(school: Pick<School, "owner" | "student">): Promise<string> {
  const { owner } = school;
  const person = { name: "Zelda Quux", types: ["pilot"], email: "zelda@quux.example" };
  const { id } = expectStatus(201, await owner.post("/people", person)).body.data;
  await completeBuyer(school, id);
  const stated = { street: "Quuxstr. 1", company: "Quux & Co", vat_id: "ATU12345675", customer_number: "C-4711" };
  expectStatus(200, await owner.patch(`/finance/customers/${id}`, { ...stated, email: "ap@quux.example" }));
  return id;
}

/** Everything that a customer can have in the books. @returns the documents */
async function bookAll(school: Books, id: string): Promise<Record<string, Document>> {
  const { owner } = school;
  const data = async (path: string, body: object): Promise<Document> =>
    expectStatus(201, await owner.post(`/finance${path}`, body)).body.data;
  await addRate(school, {});
  await addRate(school, { kind: "program", price_minor: 100 });
  await approvedFlight(school, { body: { crew: [{ person_id: id, function: "solo" }] } });
  const charge = await data("/charges", { ...piece, person_id: id, description: text("Headset") });
  const reversed = await data("/charges", { ...piece, person_id: id, description: text("Map") });
  expectStatus(200, await owner.post(`/finance/charges/${reversed.id}/reverse`, { reason: text("Not taken") }));
  const lines = [{ ...piece, description: text("Lesson") }];
  const until = "2026-06-30";
  const drafted = await data("/invoices", { person_id: id, until, lines, note: text("Agreed") });
  const invoice = await sendInvoice(school, drafted);
  const payment = { invoice_id: invoice.id, amount_minor: invoice.gross_minor, method: "cash" };
  const paid = await data("/payments", { ...payment, reference: text("Paid"), note: text("In cash") });
  const { lines: sent } = expectStatus(200, await owner.get(`/finance/invoices/${invoice.id}`)).body.data;
  const flown = sent.find(
    (line: { charge_id: string | null }) => line.charge_id !== null && line.charge_id !== charge.id,
  );
  const part = { line_id: flown.id, quantity: null, net_minor: 100, description: text("Too long") };
  const credit = await data(`/invoices/${invoice.id}/credit`, { reason: text("Complaint"), lines: [part] });
  await sendInvoice(school, credit);
  expectStatus(
    200,
    await owner.post(`/finance/invoices/${credit.id}/refund`, { reason: text("Given back"), method: "cash" }),
  );
  expectStatus(
    200,
    await owner.post(`/finance/payments/${paid.id}/refund`, { amount_minor: 50, reason: text("Over") }),
  );
  const wrong = await sendInvoice(school, await data("/invoices", { person_id: id, lines, note: null }));
  const cancelled = await owner.post(`/finance/invoices/${wrong.id}/cancel`, { reason: text("Wrong") });
  const cancellation = expectStatus(201, cancelled).body.data;
  const dropped = await data("/invoices", { person_id: id, lines, note: text("Dropped") });
  expectStatus(200, await owner.post(`/finance/invoices/${dropped.id}/void`, { reason: text("Dropped") }));
  return { invoice, credit, wrong, cancellation };
}

/** What is in the books besides texts, and the day of the last change: of each document the figures, and the sums. */
async function figuresOf(books: Pick<Awaited<ReturnType<typeof later>>, "get">, documents: Record<string, Document>) {
  const figures: unknown[] = [];
  for (const { id } of Object.values(documents)) {
    const { buyer, person_name, deliver_to, note, void_reason, content_removed_at, updated_at, refunds, ...invoice } =
      expectStatus(200, await books.get(`/finance/invoices/${id}`)).body.data;
    figures.push({
      ...{ ...invoice, country: buyer.country },
      lines: invoice.lines.map(({ description: _, ...line }: { description: string }) => line),
      refunds: refunds.map(({ reason: _, ...refund }: { reason: string }) => refund),
    });
  }
  for (const path of ["/finance/summaries", "/finance/aging", "/finance/journal"])
    figures.push(
      JSON.parse(
        JSON.stringify(expectStatus(200, await books.get(path)).body.data).replaceAll("Zelda Quux", "Erased person"),
      ),
    );
  return figures;
}

test("when the law lets the books go, an erasure takes the customer out of them, and they still add up", async () => {
  const installation = await newInstallation();
  const school = await newSellingSchool(installation);
  // So that its documents state the VAT in euros, too.
  await useCurrency(school, "USD");
  const { owner, orgId } = school;
  const id = await newCustomer(school);
  const documents = await bookAll(school, id);
  const other = await sendInvoice(school, await newInvoice(school));
  for (const one of [...Object.values(documents), other])
    for (const format of formats) await documentAt(school, owner.token, one, format);
  const kept = () =>
    tenantOf(school).read(async (reader) => {
      const rows = await reader.values<[string]>(sql`select distinct invoice_id from finance_documents`);
      return rows.map(([invoice]) => invoice).sort();
    });
  expect(await kept()).toEqual([...Object.values(documents), other].map((one) => one.id).sort());

  const held = await later(school, lastDay);
  expect(expectStatus(409, await held.post(`/people/${id}/erase`)).body.error.reason).toBe("records_kept");
  const books = await later(school, after);
  const before = await figuresOf(books, documents);
  const key = await books.post("/integrations/api-keys", { name: "Mirror", scopes: ["public.invoices:read"] });
  const { token } = expectStatus(201, key).body.data;
  const changes = async (cursor = "") =>
    expectStatus(200, await school.publicGet(`/invoices?updated_since=2000-01-01T00:00:00Z${cursor}`, token)).body;
  const mirrored = (await changes()).page.last_cursor;
  expectStatus(200, await books.post(`/people/${id}/erase`));

  expect(await tracesOf(school, ...words)).toEqual([]);
  expect(await figuresOf(books, documents)).toEqual(before);
  const seen = (await changes(`&cursor=${encodeURIComponent(mirrored)}`)).data;
  expect(seen.map((one: Document) => one.id)).toEqual(
    expect.arrayContaining(Object.values(documents).map((one) => one.id)),
  );
  // What was never sent has no buyer.
  const nobody = { name: "Erased person", company: null, customer_number: null };
  for (const { number, buyer, content_removed_at } of seen)
    expect([content_removed_at, buyer]).toEqual([after, number === null ? null : nobody]);
  const invoiceAt = async (one: Document | undefined) =>
    expectStatus(200, await books.get(`/finance/invoices/${one?.id}`)).body.data;
  const { content_removed_at, buyer, lines, note } = await invoiceAt(documents.invoice);
  expect([content_removed_at, note]).toEqual([after, null]);
  expect(buyer).toEqual({
    ...{ name: "Erased person", company: null, street: null, postcode: null, city: null, country: "DE" },
    ...{ email: null, vat_id: null, register_number: null, buyer_reference: null, customer_number: null },
  });
  const descriptions = lines.map(({ description }: { description: string }) => description).sort();
  expect(descriptions).toEqual(["-", "-", "Flight time D-EABC"]);
  expect((await invoiceAt(documents.credit)).lines).toMatchObject([{ description: "-" }]);
  expect(await invoiceAt(other)).toMatchObject({
    content_removed_at: null,
    buyer: { name: expect.stringMatching(/.+/) },
  });

  for (const one of Object.values(documents))
    for (const format of formats) {
      const { error } = expectStatus(410, await documentAt(school, books.token, one, format)).body;
      expect(error).toMatchObject({ reason: "content_removed", content_removed_at: after });
    }
  expect(await kept()).toEqual([other.id]);
  expectStatus(200, await documentAt(school, books.token, other, "pdf"));

  if (!isId<"organization">(orgId)) throw new Error("A school has an id.");
  const { storage, clock, scheduler } = installation;
  const context = { clock, control: storage.control, actor: { kind: "command_line" }, requestId: "" } as const;
  expect(await verifyAuditLogs(context, { storage, orgId })).toMatchObject({ ok: true });
  expect(await check.handle({ storage, clock, scheduler, ...unexamined }, {})).toMatchObject({ ok: true });
  const { summary } = await scheduler.runNow("finance-summary");
  expect(summary).toMatch(/corrected 0/);
}, 300_000);

test("a document that was made while its buyer was erased is not kept", async () => {
  const school = await newSellingSchool(await newInstallation());
  const id = await newCustomer(school);
  const invoice = await sendInvoice(school, await newInvoice(school, { person_id: id }));
  const books = await later(school, after);
  expectStatus(200, await books.post(`/people/${id}/erase`));
  if (!isId<"invoice">(invoice.id)) throw new Error("An invoice has an id.");
  const at = { tenant: tenantOf(school), clock: school.installation.clock };
  const keeping = keepDocument(at, { invoiceId: invoice.id, format: "pdf" }, Buffer.from("%PDF"));
  await expect(keeping).rejects.toMatchObject({ reason: "content_removed" });
});

test("a document that was removed by an erasure is told from one that is damaged", async () => {
  const installation = await newInstallation();
  const school = await newSellingSchool(installation);
  const { owner } = school;
  const id = await newCustomer(school);
  const [erased, other] = [
    await sendInvoice(school, await newInvoice(school, { person_id: id })),
    await sendInvoice(school, await newInvoice(school)),
  ];
  for (const one of [erased, other]) expectStatus(200, await documentAt(school, owner.token, one, "pdf"));
  const books = await later(school, after);
  expectStatus(200, await books.post(`/people/${id}/erase`));
  await tenantOf(school).write((tx) => tx.run(sql`update finance_document_chunks set data = x'00'`));
  expectStatus(410, await documentAt(school, books.token, erased, "pdf"));
  expectStatus(503, await documentAt(school, books.token, other, "pdf"));
  const { storage, clock, scheduler } = installation;
  const { files } = await check.handle({ storage, clock, scheduler, ...unexamined }, {});
  const faults = files.flatMap((file) => file.faults);
  expect(faults).toEqual([expect.stringMatching(/^finance_documents \S+: chunk 0 is damaged$/)]);
});

const piece = { quantity: "1.00", unit: "piece", unit_price_minor: 1000 };
const byHand = { ...piece, description: text("Lesson") };
const draftOf = async ({ owner }: Pick<Books, "owner">, body: object) =>
  expectStatus(201, await owner.post("/finance/invoices", { lines: [byHand], note: text("Agreed"), ...body })).body
    .data;

test("an erasure voids the drafts of a person without charges, and clears their texts", async () => {
  const school = await newSellingSchool(await newInstallation());
  const { owner } = school;
  const id = await newCustomer(school);
  const draft = await draftOf(school, { person_id: id });
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  const left = expectStatus(200, await owner.get(`/finance/invoices/${draft.id}`)).body.data;
  expect(left).toMatchObject({ status: "void", note: null, void_reason: null, lines: [{ description: "-" }] });
  expect(left.gross_minor).toBe(draft.gross_minor);
  expect((await owner.get("/finance/invoices?status=draft")).body.data).toEqual([]);
  expect(await tracesOf(school, ...words)).toEqual([]);
});

test("a draft with a charge that the law wants kept stays as it is, and the erasure is refused", async () => {
  const school = await newSellingSchool(await newInstallation());
  const { owner } = school;
  const id = await newCustomer(school);
  expectStatus(201, await owner.post("/finance/charges", { ...byHand, person_id: id, on: "2026-06-01" }));
  const draft = await draftOf(school, { person_id: id, until: "2026-06-30" });
  expect(expectStatus(409, await owner.post(`/people/${id}/erase`)).body.error.reason).toBe("records_kept");
  expect((await owner.get(`/finance/invoices/${draft.id}`)).body.data).toEqual(draft);
});

test("the charge of a draft is open again after the erasure, and no run invoices a person without a name", async () => {
  const school = await newSellingSchool(await newInstallation());
  const { owner } = school;
  const id = await newCustomer(school);
  const charge = { ...byHand, person_id: id, on: "2026-06-01" };
  const { id: chargeId } = expectStatus(201, await owner.post("/finance/charges", charge)).body.data;
  const draft = await draftOf(school, { person_id: id, until: "2026-06-30" });
  const books = await later(school, after);
  expectStatus(200, await books.post(`/people/${id}/erase`));
  expect((await books.get(`/finance/invoices/${draft.id}`)).body.data).toMatchObject({ status: "void", note: null });
  const open = expectStatus(200, await books.get(`/finance/charges?person_id=${id}`)).body.data;
  expect(open).toMatchObject([{ id: chargeId, status: "open", invoice_id: null, description: "-", net_minor: 1000 }]);
  expect((await books.get("/finance/invoice-runs/preview?until=2036-12-31")).body.data).toEqual({ invoices: [] });
  expectStatus(200, await books.post("/finance/invoice-runs", { until: "2036-12-31", send: false }));
  expect((await books.get(`/finance/invoices?person_id=${id}&status=draft`)).body.data).toEqual([]);
});

test("a draft for somebody else names the person no more; what was sent to them stays as it was", async () => {
  const school = await newSellingSchool(await newInstallation());
  const { owner, student } = school;
  const person_id = student.personId;
  const sent = await sendInvoice(school, await draftOf(school, { person_id }));
  const before = expectStatus(200, await owner.get(`/finance/invoices/${sent.id}`)).body.data;
  const draft = await draftOf(school, { person_id });
  const id = await newCustomer(school);
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  expect((await owner.get(`/finance/invoices/${sent.id}`)).body.data).toEqual(before);
  const named = (what: string) => text(what).replace("Zelda Quux", "Erased person");
  const { note, lines } = (await owner.get(`/finance/invoices/${draft.id}`)).body.data;
  expect([note, lines[0].description]).toEqual([named("Agreed"), named("Lesson")]);
});

test("nothing new is booked for a person who was erased, and nothing stated about them", async () => {
  const school = await newSellingSchool();
  const { owner, student } = school;
  const flight = await school.draftFlight(student);
  const person_id = await newCustomer(school);
  expectStatus(200, await owner.post(`/people/${person_id}/erase`));
  const sold = { name: "10 hours", uses: "aircraft", quantity: "600.00", price_minor: 1000 };
  const refused = [
    await owner.post("/finance/charges", { ...byHand, person_id }),
    await owner.post("/finance/invoices", { person_id, lines: [byHand] }),
    await owner.post("/finance/payments", { person_id, amount_minor: 100, method: "cash", note: "From Zelda." }),
    await owner.post("/finance/packages", { ...sold, person_id }),
    await owner.patch(`/finance/flights/${flight.id}`, { payer_id: person_id }),
  ];
  for (const answer of refused)
    expect(expectStatus(400, answer).body.issues).toMatchObject([
      { path: expect.stringMatching(/^body\.(person|payer)_id$/), code: "erased" },
    ]);
  const stated = await owner.patch(`/finance/customers/${person_id}`, { company: "Quux & Co" });
  expect(expectStatus(409, stated).body.error.reason).toBe("person_erased");
});
