/** Fields that several resources of the money have. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { unusualPlaces } from "../../core/currencies.ts";
import { type Issue, invalid } from "../../core/errors.ts";
import { formats } from "../../core/formats.ts";
import { decimalOf, netOf } from "../../core/money.ts";
import { documentedAs } from "../../http/documented-as.ts";
import { dateField, integer, nullable, QUANTITY, quantityText, text } from "../../http/fields.ts";
import { type Field, field, signedHundredths } from "../../storage/shape.ts";
import type { Vat } from "./finance.values.ts";
import { paymentMethods, vatCategories } from "./finance.values.ts";
import { isCodeOf, usualCode, vatReasonCodes } from "./vat-reason-codes.ts";

/** The most that an amount in a request may be: 10 million in a currency with two places. */
const MOST = 1_000_000_000;

export const method = z.enum(paymentMethods).meta({ examples: ["bank_transfer"] });

export const price_minor = integer(0, MOST).meta({
  description: "Net, in minor units of the currency.",
  examples: [22_500],
});
export const signedPrice = integer(-MOST, MOST);
/** An amount in a response. */
export const minor = (description: string, example: number) => z.int().meta({ description, examples: [example] });
export const currency = z.string().meta({ description: "ISO 4217 currency.", examples: ["EUR"] });

/** Reads a decimal string with two places as hundredths. */
export const hundredthsOf = (text: string): number => Number(text.replace(".", ""));

const RATE = /^(0|[1-9]\d?)\.\d{2}$/;

const vatRate = {
  in: z
    .string()
    .regex(RATE, formats.percentage)
    .transform(hundredthsOf)
    .meta(documentedAs({ type: "string", pattern: RATE.source, examples: ["19.00"] })),
  out: z.string().meta({ examples: ["19.00"] }),
  stored: "hundredths",
} as const;

export const vat = {
  vat_category: z.enum(vatCategories).meta({
    id: "VatCategory",
    description:
      "`standard`: with the rate. `zero`: taxed at 0 %. `exempt`: not taxed, for `vat_reason`. `reverse_charge`: the buyer owes the VAT (EN 16931: AE). `intra_community`: goods supplied to another member state (K). `export`: out of the EU (G). `outside_scope`: not subject to VAT, such as a service that is taxed where a buyer outside the EU is (O); not with others on one invoice.",
    examples: ["standard"],
  }),
  vat_rate: vatRate,
  vat_reason: text(200)
    .nullable()
    .meta({
      description:
        "Why it is exempt. Of other categories without VAT, more than what documents say by themselves, such as an article.",
      examples: [null],
    }),
  vat_reason_code: z
    .string()
    .trim()
    .toUpperCase()
    .max(40)
    .refine((code) => vatReasonCodes.has(code), formats.vatex)
    .nullable()
    .meta({
      description:
        "The reason as a code of VATEX (EN 16931, BT-121), for e-invoices. Of an exemption, optional. Other categories without VAT have their own by default.",
      examples: [null],
    }),
};

/** The VAT of something new, which by default is that of the settings. */
export const newVat = {
  vat_category: vat.vat_category
    .nullable()
    .meta({ description: "Null: that of the settings, with its rate and reason.", examples: ["standard"] }),
  vat_rate: nullable(vatRate),
  vat_reason: vat.vat_reason,
  vat_reason_code: vat.vat_reason_code,
};

/** Of what VAT is charged, also at 0 %. Documents say of other categories why it is not. */
export const isTaxed = (category: Vat["vat_category"]): category is "standard" | "zero" =>
  category === "standard" || category === "zero";

export type UntaxedCategory = Exclude<Vat["vat_category"], "standard" | "zero">;

/** Returns the VAT of something that has one. */
export const vatIn = ({ vat_category, vat_rate, vat_reason, vat_reason_code }: Vat): Vat => ({
  vat_category,
  vat_rate,
  vat_reason,
  vat_reason_code,
});

/** Returns a change of VAT whose code follows the category, unless it states one. */
export function withCode<Change extends Partial<Vat>>(before: Vat, change: Change): Change & Partial<Vat> {
  const { vat_category = before.vat_category, vat_reason_code } = change;
  const follows = vat_category !== before.vat_category ? !vat_reason_code : vat_reason_code === null;
  return follows ? { ...change, vat_reason_code: usualCode(vat_category) } : change;
}

/** Returns what is wrong with a category, its rate (EN 16931, BR-*-05) and its reason (BR-*-10). */
export function vatIssues({ vat_category, vat_rate, vat_reason, vat_reason_code }: Vat): Issue[] {
  const report = (path: keyof Vat, message: string): Issue[] => [{ path, code: "impossible", message }];
  if (vat_category === "standard" && vat_rate === 0)
    return report("vat_rate", "Must be above 0.00; for 0 % use the category `zero`.");
  if (vat_category !== "standard" && vat_rate !== 0)
    return report("vat_rate", `Must be 0.00 in the category \`${vat_category}\`.`);
  if (vat_category === "exempt" && vat_reason === null) return report("vat_reason", "An exemption needs its reason.");
  if (isTaxed(vat_category) && vat_reason !== null)
    return report("vat_reason", `The category \`${vat_category}\` has no reason.`);
  if (vat_reason_code !== null && !isCodeOf(vat_category, vat_reason_code))
    return report("vat_reason_code", `Is no code of the category \`${vat_category}\`.`);
  return [];
}

/** A positive quantity: integer hundredths in code and column. */
export const quantity = (example: string, description: string) => ({
  in: quantityText
    .transform(hundredthsOf)
    .meta({ ...documentedAs({ type: "string", pattern: QUANTITY.source, examples: [example] }), description }),
  out: z.string(),
});

/** So that the sums of thousands of invoices, each with the most lines, are exact. */
const MOST_BY_HAND = 5_000_000_000;

/** Returns the net amount of a line by hand. @throws VALIDATION_ERROR at the path: too large */
export function netByHand(line: { quantity: number; unit_price_minor: number }, path: string): number {
  const net = netOf(line.quantity, { unit_price_minor: line.unit_price_minor, price_per: 1 });
  if (Math.abs(net) <= MOST_BY_HAND) return net;
  throw invalid({
    path,
    code: "too_big",
    params: { max: MOST_BY_HAND },
    message: `The net amount must be at most ${MOST_BY_HAND}.`,
  });
}

/** A quantity in a response. It may be negative. */
export const quantityOut = (column: SQLiteColumn, example: string, description: string): Field<z.ZodString> =>
  field(z.string().meta({ description, examples: [example] }), signedHundredths(column));

/** Writes hundredths as a decimal string with two places. */
export const decimal = (hundredths: number): string => decimalOf(hundredths, 2);

/** Converts an amount to a decimal string with the currency's places, as `decimalOf` does. */
export function decimalAmount(amount: SQLWrapper, currency: SQLWrapper): SQL {
  const isOneOf = (places: keyof typeof unusualPlaces) =>
    sql`${currency} in (${sql.raw(unusualPlaces[places].map((one) => `'${one}'`).join(", "))})`;
  const withPlaces = (places: number) => {
    const unit = sql.raw(String(10 ** places));
    const format = sql.raw(`'%s%d.%0${places}d'`);
    return sql`printf(${format}, iif(${amount} < 0, '-', ''), abs(${amount}) / ${unit}, abs(${amount}) % ${unit})`;
  };
  return sql`case when ${isOneOf(0)} then printf('%d', ${amount}) when ${isOneOf(3)} then ${withPlaces(3)}
    when ${isOneOf(4)} then ${withPlaces(4)} else ${withPlaces(2)} end`;
}

export const validity = {
  valid_from: dateField.meta({ description: "The first day.", examples: ["2026-01-01"] }),
  valid_until: dateField.nullable().meta({ description: "The last day; null: without end.", examples: ["2099-12-31"] }),
};
