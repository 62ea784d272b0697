/** Why something is exempt, as documents say it. */
import { smallBusinessVat } from "../settings/small-business.ts";
import { textsOf } from "../texts/texts.ts";
import type { InvoiceDocument } from "./invoice-document.ts";

/** Returns the reasons of an invoice's exemptions, each once. */
export const reasonsOf = ({ vat }: Pick<InvoiceDocument, "vat">): string[] => [
  ...new Set(vat.flatMap(({ vat_reason }) => vat_reason ?? [])),
];

/** Returns the sentence that stands below the sums. */
export function exemptionSentence({ language }: Pick<InvoiceDocument, "language">, reason: string): string {
  const { smallBusiness, byLaw, other } = textsOf(language).exemptions;
  if (reason === smallBusinessVat.vat_reason) return smallBusiness;
  return /^(§|Art)/.test(reason) ? byLaw(reason) : other(reason);
}

/** Returns the reason where it stands alone, in an e-invoice: it is a sentence only for a small business, whose reason is ours. */
export const exemptionReason = (invoice: Pick<InvoiceDocument, "language">, reason: string): string =>
  reason === smallBusinessVat.vat_reason ? exemptionSentence(invoice, reason) : reason;
