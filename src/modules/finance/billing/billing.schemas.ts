import { z } from "zod";
import { dateField, idOf, longText } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { newOf } from "../../../storage/columns.ts";
import { charge } from "../charges/charges.schemas.ts";
import { currency, vat } from "../finance.fields.ts";
import { billingStatuses, chargeKinds, chargeUnits, missingParts } from "../finance.tables.ts";

export const missing = z.array(z.enum(missingParts)).meta({
  description:
    "What could not be charged: no payer, no times or no reading of the counter by which the aircraft is billed, or no rate. Schools without rates for landings or the fuel surcharge charge none: their rates are missing once they ran out.",
});
export const payer = idOf<"person">().nullable();
const payerName = z
  .string()
  .nullable()
  .meta({ examples: ["Sam Student"] });
const reason = longText(1000).meta({ examples: ["Trial lesson, given as a prize."] });

export const UnbilledQuery = z.strictObject(paging);

const billing = z.strictObject({
  flight_id: idOf<"flight">(),
  status: z.enum(billingStatuses).meta({
    description:
      "`pending`: the flight is not approved. `unbilled`: a part is not charged, see `missing`. `waived`: a member decided that nobody pays. `free`: nobody pays such a flight, or it was approved before the school had rates. `reversed`: so was the flight.",
  }),
  missing,
  payer_id: payer.meta({ description: "Who pays." }),
  named_payer_id: payer.meta({ description: "Who pays by decision of a member. Null: who follows from the crew." }),
  payer_name: payerName,
  named_payer_name: payerName,
  on: dateField.nullable().meta({ description: "The day of on-block, once it is approved." }),
  reason: z.string().nullable().meta({ description: "Why it is waived." }),
  charges: z.array(charge.schema).meta({ description: "The oldest first, with reversals." }),
});
export const Billing = billing.meta({ id: "FlightBilling" });
export type Billing = z.infer<typeof Billing>;

const amount = z.int().meta({ examples: [23_250] });

const PreviewLine = z.strictObject({
  kind: z.enum(chargeKinds),
  status: z.enum(["open", "package"]).meta({ description: "`package`: would be drawn from a package." }),
  description: z.string().meta({ description: "In the language of the payer.", examples: ["Flight time D-EABC"] }),
  about: z
    .string()
    .nullable()
    .meta({
      description:
        "The registration, the instructor or the place. Null: the description is the school's own, of the rate.",
      examples: ["D-EABC"],
    }),
  package_name: z
    .string()
    .nullable()
    .meta({ description: "Of `package_id`.", examples: ["10 hours C172"] }),
  rate_id: idOf<"rate">().nullable(),
  package_id: idOf<"package">().nullable(),
  quantity: z.string().meta({ description: "Of the unit.", examples: ["62.00"] }),
  unit: z.enum(chargeUnits),
  unit_price_minor: z.int().meta({ description: "Net, for `price_per` units.", examples: [22_500] }),
  price_per: z.int().meta({ examples: [60] }),
  currency,
  vat_category: vat.vat_category,
  vat_rate: vat.vat_rate.out,
  vat_reason: z.string().nullable(),
  vat_reason_code: z.string().nullable(),
  net_minor: amount,
  vat_minor: amount,
  gross_minor: amount,
});

export const Preview = z
  .strictObject({
    on: dateField.meta({
      description: "The day whose rates count: of on-block, of off-block in a draft without, or today.",
    }),
    payer_id: payer,
    payer_name: payerName,
    free: z.boolean().meta({ description: "Nobody pays a flight of this nature." }),
    missing,
    lines: z.array(PreviewLine),
    currency,
    net_minor: amount,
    vat_minor: amount.meta({ description: "Rounded once for each category and rate; the lines have shares of it." }),
    gross_minor: amount,
  })
  .meta({ id: "FlightCost" });
export type Preview = z.infer<typeof Preview>;

export const Waiver = z.strictObject({ reason }).meta({ id: "FlightWaiver" });
export const PayerChange = z
  .strictObject({ payer_id: payer.meta({ description: "Null: who follows from the crew.", examples: [null] }) })
  .meta({ id: "FlightPayer" });

export const NewRebilling = newOf("NewFlightRebilling", {
  payer_id: payer.meta({ description: "Who pays from now on. Null: who follows from the crew.", examples: [null] }),
  reason: reason.meta({ description: "Printed on the credit note.", examples: ["The club pays it."] }),
  send: z.boolean().default(false).meta({ description: "Also sends the credit notes and the invoice." }),
});
export type NewRebilling = z.infer<typeof NewRebilling>;

export const Rebilling = billing
  .extend({
    credit_note_ids: z
      .array(idOf<"invoice">())
      .meta({ description: "Of what was sent: one for each invoice. Empty: nothing was, or nothing of it is left." }),
    invoice_id: idOf<"invoice">()
      .nullable()
      .meta({ description: "Of the new payer. Null: a package of theirs has the hours, or a rate is missing." }),
  })
  .meta({ id: "FlightRebilling" });
export type Rebilling = z.infer<typeof Rebilling>;

export const FlightRef = z.object({ orgId: idOf<"organization">(), flightId: idOf<"flight">() });
