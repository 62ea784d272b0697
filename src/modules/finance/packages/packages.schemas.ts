import { sql } from "drizzle-orm";
import { z } from "zod";
import { dateField, idOf, instantOut, stampsOut, text } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { changeOf, columns, newOf } from "../../../storage/columns.ts";
import { names } from "../../../storage/names.ts";
import { field, part, shape } from "../../../storage/shape.ts";
import { icaoType } from "../../fleet/fleet.schemas.ts";
import { aircraftRegistration } from "../../fleet/fleet.shapes.ts";
import { personName } from "../../people/people.shapes.ts";
import { currency, newVat, price_minor, quantity, quantityOut, validity, vat } from "../finance.fields.ts";
import { financeCharges, packageUses, financePackages as table } from "../finance.tables.ts";

const changing = {
  name: text(120).meta({ examples: ["10 hours Cessna 172"] }),
  valid_until: validity.valid_until,
};
const what = {
  person_id: idOf<"person">().meta({ description: "Who buys it, and whose flights are drawn from it." }),
  uses: z.enum(packageUses).meta({
    description: "`aircraft`: time of the aircraft's billing basis. `instructor`: block time with an instructor.",
    examples: ["aircraft"],
  }),
  aircraft_id: idOf<"aircraft">()
    .nullable()
    .meta({ description: "Null: any.", examples: [null] }),
  icao_type: icaoType.nullable().meta({ description: "Instead of an aircraft. Null: any.", examples: ["C172"] }),
};

export const NewPackage = newOf("NewPackage", {
  ...what,
  ...changing,
  quantity: quantity("600.00", "How many minutes are bought."),
  price_minor,
  valid_from: dateField.nullable().meta({ description: "Null: today.", examples: ["2026-01-01"] }),
  ...newVat,
});
export type NewPackage = z.infer<typeof NewPackage>;

export const PackageChange = changeOf("PackageChange", changing);
export type PackageChange = z.infer<typeof PackageChange>;

export const PackageListQuery = z.strictObject({ ...paging, person_id: idOf<"person">().optional() });

const draw = part({
  ...columns(financeCharges, {
    id: idOf<"charge">(),
    flight_id: idOf<"flight">().nullable(),
    reverses_id: idOf<"charge">().nullable(),
    on: dateField,
  }),
  quantity: quantityOut(financeCharges.quantity, "62.00", "Minutes. Negative: given back."),
});

const draws = sql`(select json_group_array(json(drawn.value)) from (
  select ${draw.json} as value from ${financeCharges}
  where ${financeCharges.package_id} = ${table.id} and ${financeCharges.status} = 'package'
  order by ${financeCharges.id}) as drawn)`;

export const hourPackage = shape("HourPackage", {
  ...columns(table, { id: idOf<"package">(), ...what, ...changing, valid_from: validity.valid_from }),
  quantity: quantityOut(table.quantity, "600.00", "How many minutes were bought."),
  remaining: quantityOut(table.remaining, "418.00", "How many minutes are left."),
  returned: quantityOut(table.returned, "120.00", "How many minutes credit notes have taken back."),
  ...columns(table, {
    price_minor,
    currency,
    ...vat,
    voided_at: instantOut.nullable().meta({
      description:
        "When its sale was reversed, or credited so far that nothing was left but the price of what was drawn.",
    }),
    ...stampsOut,
  }),
  ...names(table, { person_id: personName, aircraft_id: aircraftRegistration }),
  draws: field(z.array(draw.schema).meta({ description: "The charges that drew from it, the oldest first." }), draws),
});
