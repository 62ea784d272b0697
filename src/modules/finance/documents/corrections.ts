/** A document that amends others refers to them specifically and unambiguously (Art. 219 of Directive 2006/112/EC; § 31 (5) UStDV). */
import { dateIn } from "../../../core/forms.ts";
import { textsOf } from "../texts/texts.ts";
import type { InvoiceDocument, InvoiceLine, Preceding } from "./invoice-document.ts";

/** Names a document that another one corrects. */
export const nameOf = ({ language }: Pick<InvoiceDocument, "language">, { number, issued_on }: Preceding): string =>
  textsOf(language).document.preceding(number, dateIn(language, issued_on));

/** Returns what a document does to those that it corrects, as the label before their names. */
export function verbOf({ kind, language }: Pick<InvoiceDocument, "kind" | "language">): string {
  const { cancels, credits } = textsOf(language).document;
  return kind === "cancellation" ? cancels : credits;
}

/** Returns what a line corrects, unless the whole document corrects this and nothing else. */
export function correctionOf(
  invoice: Pick<InvoiceDocument, "kind" | "language" | "preceding">,
  { corrects }: InvoiceLine,
): string | null {
  if (corrects === null || (invoice.kind !== "invoice" && invoice.preceding.length === 1)) return null;
  return `${verbOf(invoice)} ${nameOf(invoice, corrects)}`;
}
