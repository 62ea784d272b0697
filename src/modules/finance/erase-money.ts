/** What identifies an erased person in the books. Figures, numbers and days stay, so that the books still add up. */
import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { yieldingBetween } from "../../core/async.ts";
import type { PersonId } from "../../core/ids.ts";
import type { By } from "../../storage/context.ts";
import type { DataSubject } from "../../storage/personal-data.ts";
import { clearTexts, eraseFromTexts } from "../../storage/personal-texts.ts";
import { ERASED } from "../../storage/personal-words.ts";
import type { Tx } from "../../storage/store.ts";
import { draftsOnlyOf, flightsOfPerson } from "../flights/flights.queries.ts";
import { removeDocuments } from "./documents/kept-documents.ts";
import { financeCharges as charges, financeFlights } from "./finance.tables.ts";
import { invoiceEntity } from "./invoices/invoices.queries.ts";
import { toVoid } from "./invoices/to-void.ts";
import { type Buyer, financeInvoices as invoices, financeInvoiceLines as lines } from "./invoices.tables.ts";
import { financePayments as payments, financeRefunds as refunds } from "./payments.tables.ts";

type TenantTx = Tx<"tenant">;

/** Instead of a text that members wrote, where there must be one. */
const NO_TEXT = "-";

/** Runs when the law lets the last charge go. Drafts are no documents, so they become void: their charges are open again. */
export async function eraseMoney(tx: TenantTx, subject: DataSubject, by: By): Promise<void> {
  const { personId } = subject;
  const ofPerson = eq(invoices.person_id, personId);
  const drafts = await tx
    .select({ id: invoices.id })
    .from(invoices)
    .where(and(ofPerson, eq(invoices.status, "draft")));
  for await (const { id } of yieldingBetween(drafts)) await toVoid(tx, by, id, NO_TEXT);
  await eraseInvoices(tx, personId);
  await eraseCharges(tx, personId);
  await tx.update(payments).set({ reference: null, note: null }).where(eq(payments.person_id, personId));
  await tx.update(refunds).set({ reason: NO_TEXT }).where(eq(refunds.person_id, personId));
  // In drafts of others, too: only what was sent is kept as it was.
  const isNoDocument = isNull(invoices.number);
  await eraseFromTexts(tx, invoices, ["note", "void_reason"], subject, { where: isNoDocument, ...invoiceEntity });
  const ofThese = tx.select({ id: invoices.id }).from(invoices).where(or(ofPerson, isNoDocument));
  await eraseFromTexts(tx, lines, ["description"], subject, { where: inArray(lines.invoice_id, ofThese) });
}

async function eraseInvoices(tx: TenantTx, personId: PersonId): Promise<void> {
  const own = await tx
    .select({ id: invoices.id, buyer: invoices.buyer })
    .from(invoices)
    .where(eq(invoices.person_id, personId));
  if (own.length === 0) return;
  const updated_at = await invoiceEntity.changeTime(tx);
  for await (const { id, buyer } of yieldingBetween(own)) {
    const cleared = { buyer: buyer && nobodyIn(buyer), deliver_to: null, note: null, void_reason: null };
    await tx
      .update(invoices)
      .set({ ...cleared, updated_at })
      .where(eq(invoices.id, id));
    await removeDocuments(tx, id);
  }
  // What the program has composed names an aircraft, a program or a package. A line that credits may have a text of its own.
  await tx.run(sql`with recursive composed(id, description) as (
      select ${lines.id}, ${lines.description} from ${lines} join ${charges} on ${charges.id} = ${lines.charge_id}
        where ${charges.person_id} = ${personId} and ${charges.kind} <> 'manual'
      union select ${lines.id}, ${lines.description} from ${lines} join composed
        on ${lines.credits_line_id} = composed.id and ${lines.description} = composed.description)
    update ${lines} set description = ${NO_TEXT}
      where ${lines.invoice_id} in (select ${invoices.id} from ${invoices} where ${invoices.person_id} = ${personId}) and ${lines.id} not in (select id from composed)`);
}

/** The country stays: whether there is VAT depends on it. */
const nobodyIn = ({ country }: Buyer): Buyer => ({
  name: ERASED,
  company: null,
  street: null,
  postcode: null,
  city: null,
  country,
  email: null,
  vat_id: null,
  register_number: null,
  buyer_reference: null,
  customer_number: null,
});

async function eraseCharges(tx: TenantTx, personId: PersonId): Promise<void> {
  const isTheirs = eq(charges.person_id, personId);
  await clearTexts(tx, charges, ["reason"], isTheirs);
  await tx
    .update(charges)
    .set({ description: NO_TEXT })
    .where(and(isTheirs, eq(charges.kind, "manual")));
  await tx.delete(financeFlights).where(sql`${financeFlights.flight_id} in ${draftsOnlyOf(personId)}`);
  const { flight_id, payer_id, named_payer_id } = financeFlights;
  const isOwn = or(
    eq(payer_id, personId),
    eq(named_payer_id, personId),
    sql`${flight_id} in ${flightsOfPerson(personId)}`,
  );
  await clearTexts(tx, financeFlights, ["reason"], isOwn);
}
