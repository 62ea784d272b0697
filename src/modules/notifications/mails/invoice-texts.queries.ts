/** The mails about invoices: their text as it is when the mail is sent. */
import { eq, sql } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import { decimalOf, placesOf } from "../../../core/money.ts";
import type { Reader } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { financeInvoices, type InvoiceId, type InvoiceRow } from "../../finance/invoices.tables.ts";
import { balanceOf } from "../../finance/ledger/balance.ts";
import { dateText, type Text } from "./mail-texts.ts";
import type { MailRow } from "./mails.queries.ts";

/** Returns the text; undefined if the invoice is void, or a reminder has nothing to remind of. */
export async function invoiceText(
  reader: Reader<"tenant">,
  { alert, subject_id }: Pick<MailRow, "alert" | "subject_id">,
  now: Instant,
): Promise<Text | undefined> {
  const [row] = await reader
    .select()
    .from(financeInvoices)
    .where(eq(financeInvoices.id, subject_id as InvoiceId));
  if (row === undefined || row.status === "void" || row.status === "draft") return undefined;
  if (alert === "invoice_sent") return sentText(reader, row);
  return row.status === "overdue" ? reminderText(row, await today(reader, now)) : undefined;
}

const amountOf = (minor: number, { currency }: InvoiceRow) => `${decimalOf(minor, placesOf(currency))} ${currency}`;

async function sentText(reader: Reader<"tenant">, row: InvoiceRow): Promise<Text> {
  const balance = balanceOf(row);
  if (row.kind === "credit_note") {
    const subject = `Credit note ${row.number}: ${amountOf(-row.gross_minor, row)}`;
    return { subject, text: `Credit note ${row.number} over ${amountOf(-row.gross_minor, row)}.` };
  }
  if (row.kind === "cancellation") {
    const cancelled = await cancelledBy(reader, row);
    const subject = `Cancellation ${row.number} of ${cancelled}`;
    return { subject, text: `${subject}, over ${amountOf(-row.gross_minor, row)}. Nothing of it is to be paid.` };
  }
  const what = `Invoice ${row.number} over ${amountOf(row.gross_minor, row)}`;
  return {
    subject: `Invoice ${row.number}: ${amountOf(row.gross_minor, row)}`,
    text: balance > 0 ? `${what}.\n\n${howToPay(row)}` : `${what}. It is paid from your account.`,
  };
}

/** Returns what a cancellation cancels, in words. */
async function cancelledBy(reader: Reader<"tenant">, { id, cancels_id }: InvoiceRow): Promise<string> {
  const [row] = await reader.select().from(financeInvoices).where(sql`${financeInvoices.id} = ${cancels_id}`);
  if (row === undefined) throw new Error(`The cancellation ${id} cancels nothing.`);
  return `${row.kind === "credit_note" ? "credit note" : "invoice"} ${row.number}`;
}

function reminderText(row: InvoiceRow, date: Temporal.PlainDate): Text {
  const due = Temporal.PlainDate.from(row.due_on ?? date);
  const { days } = due.until(date, { largestUnit: "days" });
  const since = `since ${dateText(due)}, ${days} ${days === 1 ? "day" : "days"}`;
  return {
    subject: `Reminder: invoice ${row.number} is overdue`,
    text: `Invoice ${row.number} is overdue ${since}.\n\n${howToPay(row)}`,
  };
}

function howToPay(row: InvoiceRow): string {
  const { seller, due_on, number } = row;
  const lines = [`To pay: ${amountOf(balanceOf(row), row)}`];
  if (due_on !== null) lines.push(`Due on: ${dateText(Temporal.PlainDate.from(due_on))}`);
  if (seller?.iban) lines.push(`Account: ${seller.iban}${seller.bic ? `, ${seller.bic}` : ""}, ${seller.legal_name}`);
  return [...lines, `Reference: ${number}`].join("\n");
}
