import { sql } from "drizzle-orm";
import type { LegalDate } from "../../../core/dates.ts";
import type { Language } from "../../../core/languages.ts";
import type { Reader } from "../../../storage/store.ts";
import { languageOf } from "../customers/language.queries.ts";
import { type InvoiceRow, financeInvoices as invoices, financeInvoiceLines as lines } from "../invoices.tables.ts";

interface Corrected {
  number: string;
  issued_on: LegalDate;
  language: Language | null;
}

/** Returns what a document corrects, the oldest first (EN 16931, BG-3): by itself, or by the lines that its lines credit. */
export async function precedingOf(
  reader: Reader<"tenant">,
  { id, kind, credits_id, cancels_id }: InvoiceRow,
): Promise<Corrected[]> {
  // An invoice that also credits is no correction of others.
  if (kind === "invoice") return [];
  const rows = await reader.values<[string, LegalDate, Language | null]>(sql`
    select ${invoices.number}, ${invoices.issued_date}, ${invoices.language} from ${invoices}
    where ${invoices.number} is not null and ${invoices.id} in (
      select ${credits_id ?? cancels_id} union select credited.invoice_id from ${lines}
      join ${lines} as credited on credited.id = ${lines.credits_line_id} where ${lines.invoice_id} = ${id})
    order by ${invoices.issued_on}, ${invoices.id}`);
  return rows.map((row) => ({ number: row[0], issued_on: row[1], language: row[2] }));
}

/** Returns the language of a document that is sent now: that of what it corrects, the newest, else that of the customer. */
export async function documentLanguage(reader: Reader<"tenant">, row: InvoiceRow): Promise<Language> {
  return (await precedingOf(reader, row)).at(-1)?.language ?? languageOf(reader, row.person_id);
}
