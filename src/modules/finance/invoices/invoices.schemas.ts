import { z } from "zod";
import { hasPostcodes } from "../../../core/countries.ts";
import { issueCodes } from "../../../core/issues.ts";
import { countryCode, dateField, idOf, integer, longText, nullable, text } from "../../../http/fields.ts";
import {
  byCursor,
  fromAndTo,
  integerQuery,
  paging,
  period,
  periodOrChanges,
  updatedSince,
} from "../../../http/query.ts";
import { changeOf, newOf } from "../../../storage/columns.ts";
import { newVat, quantity, signedPrice } from "../finance.fields.ts";
import { chargeUnits } from "../finance.tables.ts";
import { invoiceKinds, invoiceStatuses } from "../invoices.tables.ts";
import { exchangeRate } from "../settings/exchange-rates.ts";
import { MOST_LINES } from "./lines.ts";

export const unit = z.enum(chargeUnits).meta({ examples: ["piece"] });
export const description = text(200).meta({ examples: ["Headset, rented"] });
export const day = dateField.meta({ description: "The day of the service.", examples: ["2026-06-14"] });

const NewLine = newOf("NewInvoiceLine", {
  description,
  quantity: quantity("1.00", "Of the unit."),
  unit,
  unit_price_minor: signedPrice.meta({
    description: "Net, for one unit; negative: a claim of its own. A discount is a charge.",
    examples: [1500],
  }),
  ...newVat,
  on: day.nullable().meta({ description: "The day of the service; null: today.", examples: ["2026-06-14"] }),
});
export type NewLine = z.infer<typeof NewLine>;

/** As many as the limit of fields in a body permits. */
const lines = z.array(NewLine).max(40);

export const terms = {
  note: longText(1000)
    .nullable()
    .meta({ description: "Printed on the invoice.", examples: ["Thank you for flying with us."] }),
  payment_days: integer(0, 365)
    .nullable()
    .meta({ description: "Days in which it is due; null: as in the settings when it is sent.", examples: [14] }),
};

const deliver_to = z
  .strictObject({
    street: text(160)
      .nullable()
      .default(null)
      .meta({ examples: ["Flughafenstraße 1"] }),
    postcode: text(20)
      .nullable()
      .default(null)
      .meta({ examples: ["5020"] }),
    city: text(80).meta({ examples: ["Salzburg"] }),
    country: countryCode,
  })
  .refine(({ postcode, country }) => postcode !== null || !hasPostcodes(country), {
    path: ["postcode"],
    error: issueCodes.needed_here,
  })
  .nullable()
  .meta({
    id: "DeliverTo",
    description:
      "Where goods are delivered to (EN 16931, BG-15). Null: to the buyer's address, which an intra-community supply then states.",
    examples: [null],
  });

const until = dateField
  .nullable()
  .meta({ description: "Takes the open charges up to this day, this one included.", examples: ["2026-06-30"] });

const exchange_rate = exchangeRate.nullable().meta({
  description:
    "Units of the seller's national currency for one unit of the invoice's, by which its VAT is stated in that, too. Null: as in the settings.",
  examples: [null],
});

export const NewInvoice = newOf("NewInvoice", {
  person_id: idOf<"person">().meta({ description: "Who owes it." }),
  until,
  charge_ids: z
    .array(idOf<"charge">())
    .max(MOST_LINES)
    .default([])
    .meta({ description: "Takes these open charges of the person, with their discounts." }),
  lines: lines.default([]).meta({ description: "Written by hand." }),
  deliver_to,
  exchange_rate,
  ...terms,
});
export type NewInvoice = z.infer<typeof NewInvoice>;

export const InvoiceChange = changeOf("InvoiceChange", {
  ...terms,
  deliver_to,
  exchange_rate,
  lines: lines.meta({
    description:
      "Instead of all lines that have no charge. Not of a credit note for an invoice, whose lines credit those of the invoice.",
  }),
});
export type InvoiceChange = z.infer<typeof InvoiceChange>;

const reason = longText(1000).meta({ examples: ["The wrong person."] });

export const Voiding = z.strictObject({ reason }).meta({ id: "InvoiceVoiding" });

const CreditedLine = newOf("CreditedLine", {
  line_id: idOf<"line">().meta({ description: "A line of the invoice that credits no other, and is no discount." }),
  quantity: nullable(
    quantity(
      "1.00",
      "Of the line's unit, at its price: at most what is left of it. Null, without `net_minor`: all that is left of the line.",
    ),
  ),
  net_minor: integer(1, 1_000_000_000_000)
    .nullable()
    .meta({ description: "Instead of a quantity: an amount, net.", examples: [null] }),
  description: description.nullable().meta({ description: "Null: the line's.", examples: [null] }),
});
export type CreditedLine = z.infer<typeof CreditedLine>;

export const NewCreditNote = newOf("NewCreditNote", {
  reason: reason.meta({ description: "Printed on the credit note." }),
  lines: z
    .array(CreditedLine)
    .max(40)
    .nullable()
    .meta({
      description: "What is credited, each line once; null: all that is left of the invoice.",
      examples: [null],
    }),
});
export type NewCreditNote = z.infer<typeof NewCreditNote>;

const filters = {
  status: z.enum(invoiceStatuses).optional(),
  ...fromAndTo,
};

export const InvoiceListQuery = period(
  z.strictObject({
    ...paging,
    ...filters,
    person_id: idOf<"person">().optional(),
    kind: z.enum(invoiceKinds).optional(),
  }),
);

export const PublicInvoiceListQuery = periodOrChanges(
  z.strictObject({
    ...byCursor,
    limit: integerQuery(1, 500, 100, "How many to return at most."),
    offset: paging.offset,
    with_total: paging.with_total,
    ...filters,
    ...updatedSince,
  }),
);

export const PublicInvoiceRef = z.object({ invoiceId: idOf<"invoice">() });

export const lastDay = dateField.meta({
  description: "Takes the open charges up to this day.",
  examples: ["2026-06-30"],
});

/** A run over everybody with open charges. */
export const InvoiceRun = newOf("InvoiceRun", {
  until: lastDay,
  send: z.boolean().default(false).meta({ description: "Also sends the invoices." }),
  payment_days: terms.payment_days,
  note: terms.note,
});
export type InvoiceRun = z.infer<typeof InvoiceRun>;
