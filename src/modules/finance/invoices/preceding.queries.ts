import { sql } from "drizzle-orm";
import type { LegalDate } from "../../../core/dates.ts";
import type { Language } from "../../../core/languages.ts";
import type { Reader } from "../../../storage/store.ts";
import { languageOf } from "../customers/language.queries.ts";
import { type InvoiceId, type InvoiceRow, financeInvoices as invoices } from "../invoices.tables.ts";
import { correctedIds } from "./invoices.shapes.ts";

interface Corrected {
  id: InvoiceId;
  number: string;
  issued_on: LegalDate;
  language: Language | null;
}

/** Returns what a document corrects, the oldest first (EN 16931, BG-3): by itself, or by the lines that its lines credit. */
export async function precedingOf(reader: Reader<"tenant">, id: InvoiceId): Promise<Corrected[]> {
  const rows = await reader.values<[InvoiceId, string, LegalDate, Language | null]>(sql`
    select corrected.id, corrected.number, corrected.issued_date, corrected.language from ${invoices}
    join ${invoices} as corrected on corrected.id in (${correctedIds})
    where ${invoices.id} = ${id} and corrected.number is not null order by corrected.issued_on, corrected.id`);
  return rows.map((row) => ({ id: row[0], number: row[1], issued_on: row[2], language: row[3] }));
}

/** Returns the language of a document that is sent now: that of what it corrects, the newest, else that of the customer. */
export async function documentLanguage(
  reader: Reader<"tenant">,
  { id, kind, person_id }: Pick<InvoiceRow, "id" | "kind" | "person_id">,
): Promise<Language> {
  // An invoice that also takes something back is no correction of others.
  const corrected = kind === "invoice" ? [] : await precedingOf(reader, id);
  return corrected.at(-1)?.language ?? languageOf(reader, person_id);
}
