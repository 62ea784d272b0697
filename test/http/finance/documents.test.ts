/** What the PDF file of an invoice states besides its amounts. */
import { expect, test } from "bun:test";
import { newInvoice, newSellingSchool, sendInvoice } from "../../support/money.ts";
import { pdfText } from "../../support/pdf-text.ts";
import { expectStatus, type Member, type School } from "../../support/school.ts";

async function pageOf({ installation, orgId }: School, { token }: Member, id: string): Promise<string> {
  const url = `http://localhost/orgs/${orgId}/finance/invoices/${id}/document`;
  const response = await installation.app.handle(new Request(url, { headers: { authorization: `Bearer ${token}` } }));
  const [page = ""] = await pdfText(await response.arrayBuffer());
  return page;
}

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
