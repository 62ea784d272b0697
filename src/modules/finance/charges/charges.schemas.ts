import { z } from "zod";
import { dateField, idOf, longText, stampsOut, text } from "../../../http/fields.ts";
import { fromAndToDays, paging, period } from "../../../http/query.ts";
import { columns, newOf } from "../../../storage/columns.ts";
import { accountName, names } from "../../../storage/names.ts";
import { type Resource, shape } from "../../../storage/shape.ts";
import { personName } from "../../people/people.shapes.ts";
import { currency, newVat, quantity, quantityOut, signedPrice, vat } from "../finance.fields.ts";
import { invoiceNumber, packageName } from "../finance.shapes.ts";
import { chargeKinds, chargeStatuses, chargeUnits, financeCharges as table } from "../finance.tables.ts";

const unit = z.enum(chargeUnits).meta({ examples: ["piece"] });
const on = dateField.meta({
  description: "The day of the service: of a flight, its day of on-block.",
  examples: ["2026-06-14"],
});
const description = text(200).meta({ examples: ["Headset, rented"] });

export const NewCharge = newOf("NewCharge", {
  person_id: idOf<"person">().meta({ description: "Who owes it." }),
  description,
  quantity: quantity("1.00", "Of the unit."),
  unit,
  unit_price_minor: signedPrice.meta({
    description: "Net, for one unit; negative: a discount on `reduces_id`, or a claim of its own.",
    examples: [1500],
  }),
  reduces_id: idOf<"charge">()
    .nullable()
    .meta({
      description:
        "Of a discount, which has a negative price: the open charge of the person that it reduces, whose day and VAT it has. All discounts on a charge are at most its net amount.",
      examples: [null],
    }),
  ...newVat,
  on: dateField
    .nullable()
    .meta({ description: "Null: today; of a discount, the day of what it reduces.", examples: ["2026-06-14"] }),
});
export type NewCharge = z.infer<typeof NewCharge>;

const reason = longText(1000).meta({ examples: ["Charged twice."] });
export const Reversal = z.strictObject({ reason }).meta({ id: "ChargeReversal" });

export const ChargeListQuery = period(
  z.strictObject({
    ...paging,
    ...fromAndToDays,
    person_id: idOf<"person">().optional(),
    status: z.enum(chargeStatuses).optional(),
    flight_id: idOf<"flight">().optional(),
  }),
);
export type ChargeFilter = Partial<Omit<z.infer<typeof ChargeListQuery>, keyof typeof paging>>;

export const charge = shape("Charge", {
  ...columns(table, {
    id: idOf<"charge">(),
    person_id: idOf<"person">().meta({ description: "Who owes it." }),
    kind: z.enum(chargeKinds),
    status: z.enum(chargeStatuses).meta({
      description:
        "`offset`: it and its reversal cancel each other out, and neither is invoiced. `package`: drawn from a package, for nothing.",
    }),
    flight_id: idOf<"flight">().nullable(),
    enrollment_id: idOf<"enrollment">().nullable(),
    package_id: idOf<"package">().nullable().meta({ description: "The package that is sold, or drawn from." }),
    rate_id: idOf<"rate">().nullable(),
    invoice_id: idOf<"invoice">().nullable().meta({ description: "The invoice, from its draft on." }),
    reverses_id: idOf<"charge">().nullable().meta({ description: "The charge that it takes back." }),
    reduces_id: idOf<"charge">().nullable().meta({ description: "The charge that this discount reduces." }),
    reason: reason.nullable(),
    description,
  }),
  quantity: quantityOut(table.quantity, "62.00", "Of the unit; negative in a reversal."),
  ...columns(table, {
    unit,
    unit_price_minor: z.int().meta({ description: "Net, for `price_per` units.", examples: [22_500] }),
    price_per: z.int().meta({ description: "60 for a price of an hour.", examples: [60] }),
    currency,
    ...vat,
    net_minor: z.int().meta({ description: "Rounded once, half away from zero.", examples: [23_250] }),
    on,
    created_by: idOf<"user">().nullable().meta({ description: "Null if a flight or an enrollment raised it." }),
    ...stampsOut,
  }),
  ...names(table, {
    person_id: personName,
    package_id: packageName,
    invoice_id: invoiceNumber,
    created_by: accountName,
  }),
});
export type Charge = Resource<typeof charge>;
