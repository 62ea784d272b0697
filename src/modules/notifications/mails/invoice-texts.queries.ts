/** The mails about invoices: their text as it is when the mail is sent. */
import { eq, sql } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import { longDateIn, moneyIn } from "../../../core/forms.ts";
import { groupsOfFour } from "../../../core/groups-of-four.ts";
import type { Language } from "../../../core/languages.ts";
import type { Reader } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { financeInvoices, type InvoiceId, type InvoiceRow } from "../../finance/invoices.tables.ts";
import { balanceOf } from "../../finance/ledger/balance.ts";
import { textsOf } from "../../finance/texts/texts.ts";
import type { MailRow } from "../../mails/mails.queries.ts";
import type { Text } from "./mail-texts.ts";

type TextOfInvoice = Pick<Text, "subject" | "text">;

/** Returns the text, in the language of the invoice; undefined if the invoice is void, or a reminder has nothing to remind of. */
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
  const language = languageIn(row.language);
  if (alert === "invoice_sent") return { language, ...(await sentText(reader, row)) };
  return row.status === "overdue" ? { language, ...reminderText(row, await today(reader, now)) } : undefined;
}

const amountOf = ({ currency, language }: InvoiceRow, minor: number) => moneyIn(languageIn(language), minor, currency);

/** What was sent has a language. */
const languageIn = (language: InvoiceRow["language"]): Language => language ?? "en";
const textsFor = ({ language }: InvoiceRow) => textsOf(languageIn(language)).mails;

async function sentText(reader: Reader<"tenant">, row: InvoiceRow): Promise<TextOfInvoice> {
  const number = row.number ?? "";
  const texts = textsFor(row);
  if (row.kind === "credit_note") {
    const amount = amountOf(row, -row.gross_minor);
    return { subject: titled(row, amount), text: texts.credit(number, amount) };
  }
  if (row.kind === "cancellation") {
    const subject = texts.cancellation(number, await cancelledBy(reader, row));
    return { subject, text: texts.cancelled(subject, amountOf(row, -row.gross_minor)) };
  }
  const amount = amountOf(row, row.gross_minor);
  const what = texts.invoice(number, amount);
  return {
    subject: titled(row, amount),
    text: balanceOf(row) > 0 ? `${what}\n\n${howToPay(row)}` : `${what} ${texts.paid}`,
  };
}

const titled = ({ kind, language, number }: InvoiceRow, amount: string): string =>
  `${textsOf(languageIn(language)).titles[kind]} ${number}: ${amount}`;

/** Returns what a cancellation cancels, in words. */
async function cancelledBy(reader: Reader<"tenant">, cancellation: InvoiceRow): Promise<string> {
  const { id, cancels_id } = cancellation;
  const [row] = await reader.select().from(financeInvoices).where(sql`${financeInvoices.id} = ${cancels_id}`);
  if (row === undefined) throw new Error(`The cancellation ${id} cancels nothing.`);
  return textsFor(cancellation).named[row.kind](row.number ?? "");
}

function reminderText(row: InvoiceRow, date: Temporal.PlainDate): TextOfInvoice {
  const due = Temporal.PlainDate.from(row.due_on ?? date);
  const { days } = due.until(date, { largestUnit: "days" });
  const [texts, number] = [textsFor(row), row.number ?? ""];
  const overdue = texts.overdue(number, longDateIn(languageIn(row.language), due), days);
  return { subject: texts.reminder(number), text: `${overdue}\n\n${howToPay(row)}` };
}

function howToPay(row: InvoiceRow): string {
  const { seller, due_on, number } = row;
  const texts = textsFor(row);
  const lines = [`${texts.amount}: ${amountOf(row, balanceOf(row))}`];
  if (due_on !== null)
    lines.push(`${texts.due}: ${longDateIn(languageIn(row.language), Temporal.PlainDate.from(due_on))}`);
  if (seller?.iban) {
    const iban = groupsOfFour(seller.iban).join(" ");
    lines.push(`${texts.account}: ${[iban, seller.bic, seller.legal_name].filter(Boolean).join(", ")}`);
  }
  return [...lines, `${texts.reference}: ${number}`].join("\n");
}
