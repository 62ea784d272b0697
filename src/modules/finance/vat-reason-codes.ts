/** The codes of the reasons why no VAT is charged (EN 16931, BT-121), of which an e-invoice has no others (BR-CL-22). */
import type { Vat } from "./finance.values.ts";

/** Articles 79 to 309 of Directive 2006/112/EC. */
const ofDirective =
  "79-C 132 132-1A 132-1B 132-1C 132-1D 132-1E 132-1F 132-1G 132-1H 132-1I 132-1J 132-1K 132-1L 132-1M 132-1N 132-1O " +
  "132-1P 132-1Q 135-1 143 143-1A 143-1B 143-1C 143-1D 143-1E 143-1F 143-1FA 143-1G 143-1H 143-1I 143-1J 143-1K 143-1L 144 " +
  "146-1E 148 148-A 148-B 148-C 148-D 148-E 148-F 148-G 151 151-1A 151-1AA 151-1B 151-1C 151-1D 151-1E 153 159 309 D F I J";

/** Articles of the French tax code. */
const ofFrance =
  "FRANCHISE CNWVAT CGI261-1 CGI261-2 CGI261-3 CGI261-4 CGI261-5 CGI261-7 CGI261-8 CGI261A CGI261B CGI261C-1 CGI261C-2 " +
  "CGI261C-3 CGI261D-1 CGI261D-1BIS CGI261D-2 CGI261D-3 CGI261D-4 CGI261E-1 CGI261E-2 CGI277A CGI275 298SEXDECIESA CGI295";

const named = (prefix: string, codes: string): string[] => codes.split(" ").map((code) => `VATEX-${prefix}-${code}`);

/** By category: the first is that of a category that says by itself why there is no VAT. */
const codes: Record<Vat["vat_category"], readonly string[]> = {
  standard: [],
  zero: [],
  exempt: [...named("EU", ofDirective), ...named("FR", ofFrance)],
  reverse_charge: ["VATEX-EU-AE", "VATEX-FR-AE"],
  intra_community: ["VATEX-EU-IC"],
  export: ["VATEX-EU-G"],
  outside_scope: ["VATEX-EU-O"],
};

export const vatReasonCodes: ReadonlySet<string> = new Set(Object.values(codes).flat());

export const isCodeOf = (category: Vat["vat_category"], code: string): boolean => codes[category].includes(code);

/** Returns the code of a category, unless it has none, or many. */
export const usualCode = (category: Vat["vat_category"]): string | null =>
  category === "exempt" ? null : (codes[category][0] ?? null);
