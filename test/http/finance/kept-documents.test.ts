/** The documents of an invoice are made once. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { OrgId } from "../../../src/core/ids.ts";
import { newInstallation } from "../../support/installation.ts";
import { newInvoice, newSellingSchool, sendInvoice } from "../../support/money.ts";
import { expectStatus, type Member, type School, times } from "../../support/school.ts";

const tenantOf = ({ installation, orgId }: Pick<School, "installation" | "orgId">) =>
  installation.storage.tenants.tenant(orgId as OrgId);

const kept = (school: School) =>
  tenantOf(school).read(async (reader) =>
    (await reader.values<[string]>(sql`select format from finance_documents order by format`)).map(
      ([format]) => format,
    ),
  );

const seller = { street: "Am Flugplatz 1", postcode: "63329", city: "Egelsbach", country: "DE", vat_id: "DE123456789" };
const reach = { email: "office@school.example", phone: "+49 6103 1234" };
const home = { street: "Ring 1", postcode: "60311", city: "Frankfurt", country: "DE", email: "sam@example.com" };

/** A school with an invoice that was sent, and requests for its documents. */
async function invoiced() {
  const school = await newSellingSchool(await newInstallation());
  const { owner, student, installation, orgId } = school;
  const bank = { legal_name: "Flight School Egelsbach", iban: "DE89370400440532013000" };
  expectStatus(200, await owner.patch("/finance/settings", { ...seller, ...reach, ...bank }));
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { ...home, email: student.email }));
  const send = async () => (await sendInvoice(school, await newInvoice(school))).id;
  const document = async ({ token }: Member, id: string, format: string, signal?: AbortSignal) => {
    const url = `http://localhost/orgs/${orgId}/finance/invoices/${id}/document?format=${format}`;
    const headers = { authorization: `Bearer ${token}` };
    const response = await installation.app.handle(new Request(url, { headers, ...(signal && { signal }) }));
    const content = Buffer.from(await response.arrayBuffer());
    return { status: response.status, etag: response.headers.get("etag"), content };
  };
  return { school, send, document };
}

test("a second download has the bytes of the first, also when the organization has another address by then", async () => {
  const { school, send, document } = await invoiced();
  const { owner, student } = school;
  const id = await send();
  for (const format of ["pdf", "xrechnung", "factur-x"]) {
    const first = await document(owner, id, format);
    expect([format, first.status]).toEqual([format, 200]);
    school.installation.clock.advance(60_000);
    expectStatus(200, await owner.patch("/finance/settings", { street: `Another street for ${format}` }));
    expect(await document(student, id, format)).toEqual(first);
  }
  expect(await kept(school)).toEqual(["factur-x", "pdf", "xrechnung"]);
}, 300_000);

test("an e-invoice that many request at once is made once", async () => {
  const { school, send, document } = await invoiced();
  const id = await send();
  const all = await Promise.all(times(5, () => document(school.owner, id, "factur-x")));
  for (const one of all) expect(one).toEqual(all[0] as never);
  expect(await kept(school)).toEqual(["factur-x"]);
}, 300_000);

test("an e-invoice is not made for a client who left while others were before it", async () => {
  const { school, send, document } = await invoiced();
  const [first, second] = [await send(), await send()];
  const left = new AbortController();
  const begun = document(school.owner, first, "xrechnung");
  const dropped = document(school.owner, second, "xrechnung", left.signal).catch(() => undefined);
  left.abort();
  expect((await begun).status).toBe(200);
  await dropped;
  expect(await kept(school)).toEqual(["xrechnung"]);
}, 300_000);

test("a kept document that is damaged is not served as good", async () => {
  const { school, send, document } = await invoiced();
  const id = await send();
  const { content } = await document(school.owner, id, "pdf");
  await tenantOf(school).write((tx) =>
    tx.run(sql.raw(`update finance_document_chunks set data = zeroblob(${content.length})`)),
  );
  expect((await document(school.owner, id, "pdf")).status).toBe(503);
}, 120_000);

test("an invoice that was voided before cancellations were documents says so, whatever is kept", async () => {
  const { school, send, document } = await invoiced();
  const id = await send();
  const before = await document(school.owner, id, "pdf");
  await tenantOf(school).write((tx) => tx.run(sql`update finance_invoices set status = 'void' where id = ${id}`));
  const after = await document(school.owner, id, "pdf");
  expect([after.status, after.etag === before.etag]).toEqual([200, false]);
  expect((await document(school.owner, id, "xrechnung")).status).toBe(409);
}, 120_000);
