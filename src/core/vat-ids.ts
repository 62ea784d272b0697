/** VAT identification numbers, and where the VAT of the European Union applies. */
import { isCountry, isMemberState } from "./countries.ts";

/** What follows the prefix, as the Commission documents it for VIES: `EL` is Greece, `XI` Northern Ireland (goods only). */
const forms: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z0-9+*]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{9}B[A-Z0-9+*]{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/,
};

/** Returns a VAT ID without the spaces, dots and dashes with which people write it. */
export const plainVatId = (id: string): string => id.replace(/[\s.-]/g, "").toUpperCase();

const prefixOf = (id: string): string => plainVatId(id).slice(0, 2);

/** Whether a VAT ID begins with a country's letters, or with those of Greece or Northern Ireland (EN 16931, BR-CO-9). */
export function hasVatPrefix(id: string): boolean {
  const prefix = prefixOf(id);
  return isCountry(prefix) || prefix in forms;
}

/** Returns what is wrong with the form of a VAT ID. Countries outside the European Union have their own forms. */
export function vatIdIssue(id: string): string | undefined {
  if (!hasVatPrefix(id)) return "Must begin with the two letters of its country, such as DE123456789.";
  const prefix = prefixOf(id);
  if (prefix === "GR") return "A Greek VAT ID begins with EL.";
  const form = forms[prefix];
  return form === undefined || form.test(plainVatId(id).slice(2))
    ? undefined
    : `Is not a VAT ID of ${prefix}: it has too few or too many characters, or others than these have.`;
}

/** A member state, or `XI`: Northern Ireland, which is one for goods, but not for services. */
export type VatState = string;

/** Returns the member state that has issued a VAT ID; null: another country. */
export function stateOfVatId(id: string): VatState | null {
  const prefix = prefixOf(id);
  if (prefix === "XI") return prefix;
  const country = prefix === "EL" ? "GR" : prefix;
  return isMemberState(country) ? country : null;
}

/** Where the directive does not apply (Art. 6 of Directive 2006/112/EC), by postcodes. Most others are countries of ISO 3166. */
const outside: Readonly<Record<string, RegExp>> = {
  // Heligoland, Büsingen
  DE: /^(27498|78266)$/,
  // The Canary Islands, Ceuta, Melilla
  ES: /^(35|38|51|52)/,
  // Åland
  FI: /^22/,
  // Overseas
  FR: /^(97|98[6-8])/,
  // Athos
  GR: /^63086$/,
  // Campione d'Italia, Livigno
  IT: /^(22061|23041)$/,
};

interface Place {
  country: string | null;
  postcode: string | null;
}

/** Returns the member state in whose territory for VAT a place is; null: a third country or territory. */
export function vatStateOf({ country, postcode }: Place): VatState | null {
  // Also as `FI-22100`
  const code = (postcode ?? "").toUpperCase().replace(/^[A-Z]{1,3}-|\s/g, "");
  if (country === "GB") return /^BT\d/.test(code) ? "XI" : null;
  // Art. 7
  if (country === "MC") return "FR";
  if (country === null || !isMemberState(country)) return null;
  return outside[country]?.test(code) ? null : country;
}
