import { eq, sql } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { conflict } from "../../../core/errors.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { By, TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { queueMailTo } from "../../mails/queue-mails.ts";
import { findOrganization } from "../../organizations/organizations.queries.ts";
import {
  financeInvoiceLines,
  financeInvoices,
  financeNumbers,
  type InvoiceId,
  type InvoiceRow,
  type Seller,
} from "../invoices.tables.ts";
import { post } from "../ledger/post.ts";
import { settleByCreditNote, settleFromAccount } from "../ledger/settle.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import { settingsOf } from "../settings/settings.ts";
import { isOfRegularBusiness, isSmallBusiness } from "../settings/small-business.ts";
import { buyerOf } from "./buyer.queries.ts";
import { requireDraft } from "./draft.ts";
import { kindOf } from "./draft-totals.ts";
import { entriesOf } from "./entries.ts";
import { invoiceEntity } from "./invoices.queries.ts";
import type { Invoice } from "./invoices.shapes.ts";
import { linesOf } from "./lines.ts";
import { nationalVatOf } from "./national-vat.ts";
import { partiesOf } from "./parties.ts";
import { documentLanguage } from "./preceding.queries.ts";
import { readRemainder } from "./remainder.queries.ts";

/**
 * Sends an invoice or a credit note: gives it its number and its due date, and freezes it with its seller, buyer and language. What the
 * person has on account settles an invoice at once, and a credit note settles invoices.
 *
 * @throws NOT_FOUND; CONFLICT it is no draft, has no lines, credits more than the invoice, or lacks what the law wants on it
 */
export async function sendInvoice(
  context: TenantContext,
  { invoiceId }: { invoiceId: InvoiceId },
): Promise<JsonOf<Invoice>> {
  authorize(context.actor, "finance:manage");
  const organization = await sellingOrganization(context);
  return context.tenant.write((tx) => send(tx, context, invoiceId, organization));
}

/** What invoices have of the organization: its name if the settings name no seller. */
interface SellingOrganization {
  name: string;
  approval_number: string | null;
}

export async function sellingOrganization({ control, tenant }: TenantContext): Promise<SellingOrganization> {
  return (await control.read((reader) => findOrganization(reader, tenant.id))).value;
}

/** Posting: as `sendInvoice`. */
export async function send(
  tx: Tx<"tenant">,
  by: By,
  id: InvoiceId,
  organization: SellingOrganization,
): Promise<JsonOf<Invoice>> {
  const draft = await invoiceEntity.row(tx, { invoiceId: id });
  requireDraft(draft);
  // Drafts of older versions kept the kind of their first total.
  const row = { ...draft, kind: kindOf(draft) };
  await requireSendable(tx, row);
  const settings = await settingsOf(tx);
  const seller = sellerOf(settings, organization);
  const buyer = await buyerOf(tx, row.person_id);
  const parties = partiesOf(row, { seller, buyer });
  const date = await today(tx, tx.now);
  const on = toLegalDate(date);
  const isInvoice = row.kind === "invoice";
  const due = isInvoice ? date.add({ days: row.payment_days ?? settings.payment_days }) : null;
  const isPaid = row.gross_minor === 0;
  const national = await nationalVatOf(tx, { row, seller: parties.seller, settings, on });
  const set = {
    kind: row.kind,
    number: await nextNumber(tx, isInvoice ? settings.invoice_series : settings.credit_note_series, date.year),
    status: isPaid ? ("paid" as const) : ("sent" as const),
    issued_on: tx.now,
    issued_date: on,
    due_on: due && toLegalDate(due),
    changes_on: due && !isPaid ? toLegalDate(due.add({ days: 1 })) : null,
    paid_on: isPaid ? on : null,
    ...parties,
    ...national.columns,
    language: await documentLanguage(tx, row),
    updated_at: tx.now,
  };
  return changeRow(tx, by, invoiceEntity, {
    id,
    action: "finance_invoice.sent",
    set,
    async also() {
      for (const { id: line, ...share } of national.shares)
        await tx.update(financeInvoiceLines).set(share).where(eq(financeInvoiceLines.id, line));
      const { person_id, currency } = row;
      const posting = isInvoice ? "invoice" : "credit_note";
      await post(tx, { posting, on, person_id, currency, invoice_id: id }, entriesOf(row));
      const sent = { ...row, ...set };
      await queueMailTo(tx, person_id, { kind: "invoice", alert: "invoice_sent", subject_id: id });
      if (isPaid) return;
      await (isInvoice ? settleFromAccount : settleByCreditNote)(tx, sent, on);
      const prepaid_minor = sql`${financeInvoices.paid_minor} + ${financeInvoices.credited_minor}`;
      await tx.update(financeInvoices).set({ prepaid_minor }).where(eq(financeInvoices.id, id));
    },
  });
}

/** @throws CONFLICT it has no lines, shows VAT that it must not, or credits nothing or more than is left of the invoice */
export async function requireSendable(tx: Tx<"tenant">, row: InvoiceRow): Promise<void> {
  if (row.vat.length === 0) throw conflict("invoice_not_sendable", "It has no lines.");
  if (row.kind === "invoice" && row.vat.some(isOfRegularBusiness) && (await isSmallBusiness(tx)))
    throw conflict(
      "vat_not_allowed",
      "A small business (§ 19 UStG) must not show VAT or an intra-community supply: change the lines by hand, and charge anew what has a rate.",
    );
  if (row.credits_id === null) return;
  // With a discount of all that it costs, a flight is credited by a total of 0.
  if (row.gross_minor > 0)
    throw conflict("invoice_not_sendable", "Its lines credit nothing together: name more lines of the invoice.");
  // Drafts from before lines named the line that they credit may credit too much together: the first that is sent counts.
  const { gross, isLimited } = await readRemainder(tx, row.credits_id, { draft: row.id, sentOnly: true });
  const namesNone = (await linesOf(tx, row.id)).some(({ credits_line_id }) => credits_line_id === null);
  if ((isLimited || namesNone) && gross + row.gross_minor < 0)
    throw conflict("credit_exceeds_invoice", "Less is left of the invoice than the credit note credits.");
}

/** Returns the next number of a series in a year: it is used only if the transaction commits, so there are no gaps. */
export async function nextNumber(tx: Tx<"tenant">, series: string, year: number): Promise<string> {
  const [row] = await tx.values<[number]>(sql`insert into ${financeNumbers} (series, year, last)
    values (${series}, ${year}, 1) on conflict (series, year) do update set last = last + 1 returning last`);
  if (row === undefined) throw new Error(`The series ${series} gave no number.`);
  return `${series}-${year}-${String(row[0]).padStart(5, "0")}`;
}

/** Returns the seller of the settings, by the organization's name if they name none. */
export const sellerOf = (settings: Settings, organization: SellingOrganization): Seller => ({
  legal_name: settings.legal_name ?? organization.name,
  street: settings.street,
  postcode: settings.postcode,
  city: settings.city,
  country: settings.country,
  email: settings.email,
  phone: settings.phone,
  vat_id: settings.vat_id,
  tax_number: settings.tax_number,
  register_number: settings.register_number,
  approval_number: organization.approval_number,
  iban: settings.iban,
  bic: settings.bic,
});
