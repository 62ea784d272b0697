/** The exchange rates by which the VAT of invoices in other currencies is stated in that of the seller's country. */
import { z } from "zod";
import { EXCHANGE_RATE } from "../../../core/exchange-rates.ts";
import { formats } from "../../../core/formats.ts";
import { fault } from "../../../http/schema-fault.ts";
import { newOf } from "../../../storage/columns.ts";
import { currency } from "../../organizations/regional.ts";
import { validity } from "../finance.fields.ts";
import type { ExchangeRate } from "../finance.tables.ts";

export const exchangeRate = z
  .string()
  .regex(EXCHANGE_RATE, formats.exchange_rate)
  .refine((rate) => !/^[0.]*$/.test(rate), fault("not_above", { min: 0 }))
  .meta({ description: "Units of the seller's national currency for one unit of the other.", examples: ["0.9123"] });

const fields = { currency, rate: exchangeRate, ...validity };

export const ExchangeRates = z.array(z.strictObject(fields).meta({ id: "ExchangeRate" }));

const meets = (one: ExchangeRate, other: ExchangeRate): boolean =>
  one.currency === other.currency && isOn(one, other.valid_from);

const isOn = ({ valid_from, valid_until }: ExchangeRate, day: string): boolean =>
  valid_from <= day && (valid_until === null || day <= valid_until);

export const exchangeRates = z
  .array(newOf("NewExchangeRate", fields))
  .max(60)
  .superRefine((rates, { addIssue }) => {
    const report = (at: number, field: string, message: string) =>
      addIssue({ code: "custom", path: [at, field], message });
    for (const [at, rate] of rates.entries()) {
      if (rate.valid_until !== null && rate.valid_until < rate.valid_from)
        report(at, "valid_until", "Must not be before `valid_from`.");
      if (rates.some((other) => other !== rate && meets(other, rate)))
        report(at, "valid_from", "Another rate of the currency has this day.");
    }
  })
  .meta({
    description:
      "For invoices in another currency than `country` has: their VAT is stated in that, too, by the rate of the last day of supply, of today if that is to come. The euro's reference rates are the other way round: 1 divided by them.",
    examples: [[{ currency: "USD", rate: "0.9123", valid_from: "2026-06-01", valid_until: "2026-06-30" }]],
  });

/** Returns the rate of a currency on a day. */
export const rateOn = (rates: readonly ExchangeRate[], currency: string, day: string): string | undefined =>
  rates.find((rate) => rate.currency === currency && isOn(rate, day))?.rate;
