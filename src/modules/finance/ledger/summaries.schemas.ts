import { z } from "zod";
import { integerQuery } from "../../../http/query.ts";
import { currency, minor, vat } from "../finance.fields.ts";

export const Summary = z
  .strictObject({
    month: z.string().meta({ description: "`YYYY-MM`, where the organization is.", examples: ["2026-07"] }),
    currency,
    issued_minor: minor("Invoices that were sent, gross.", 27_668),
    credited_minor: minor("Credit notes that were sent, gross.", 0),
    voided_minor: minor("What was cancelled after it was sent, gross.", 0),
    collected_minor: minor("Payments.", 20_000),
    refunded_minor: minor("Money given back.", 0),
    outstanding_minor: minor(
      "At the end of the month: issued, minus credited, voided (cancelled) and collected, plus refunded, of all months up to then.",
      7668,
    ),
    vat: z
      .array(
        z.strictObject({
          vat_category: vat.vat_category,
          vat_rate: vat.vat_rate.out,
          net_minor: minor("Issued, minus credited and voided, net.", 23_250),
          vat_minor: minor("The tax on it, rounded once for each invoice.", 4418),
        }),
      )
      .meta({ description: "Of what was issued in the month, by category and rate, the highest rate first." }),
    national_vat: z.array(z.strictObject({ currency, vat_minor: z.int().meta({ examples: [4031] }) })).meta({
      description:
        "Its VAT in the seller's national currency, as the documents state it. Empty: they are in that currency, or have no VAT.",
    }),
  })
  .meta({ id: "FinanceSummary", description: "The money of a month in one currency." });
export type Summary = z.infer<typeof Summary>;

export const SummaryQuery = z.strictObject({ limit: integerQuery(1, 120, 12, "How many months.") });
