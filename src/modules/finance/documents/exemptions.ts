/** Why there is no VAT, as documents say it (Art. 226 no. 11 and 11a of Directive 2006/112/EC; § 14 (4) no. 8, § 14a UStG). */
import type { Language } from "../../../core/languages.ts";
import { isTaxed } from "../finance.fields.ts";
import type { Vat } from "../finance.values.ts";
import { smallBusinessVat } from "../settings/small-business.ts";
import { textsOf } from "../texts/texts.ts";

type Reasoned = Pick<Vat, "vat_category" | "vat_reason">;

/** Returns the sentence that stands below the sums; null: it is taxed. */
export function reasonSentence(language: Language, { vat_category, vat_reason }: Reasoned): string | null {
  if (isTaxed(vat_category)) return null;
  const { smallBusiness, byLaw, other, categories } = textsOf(language).exemptions;
  if (vat_category !== "exempt") return [categories[vat_category], vat_reason ?? []].flat().join(": ");
  if (vat_reason === null) return null;
  if (vat_reason === smallBusinessVat.vat_reason) return smallBusiness;
  return /^(§|Art)/.test(vat_reason) ? byLaw(vat_reason) : other(vat_reason);
}

/** Returns the sentences of what an invoice has no VAT on, each once. */
export const reasonsOf = ({ vat, language }: { vat: readonly Reasoned[]; language: Language }): string[] => [
  ...new Set(vat.flatMap((one) => reasonSentence(language, one) ?? [])),
];

/** Returns the reason where it stands alone, in an e-invoice: an exemption is a sentence only where its reason is ours. */
export const aloneReason = (language: Language, vat: Reasoned): string | null =>
  vat.vat_category === "exempt" && vat.vat_reason !== smallBusinessVat.vat_reason
    ? vat.vat_reason
    : reasonSentence(language, vat);
