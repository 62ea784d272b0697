import { z } from "zod";
import { icaoPlace, idOf, stampsOut, text } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { changeOf, columns, newOf } from "../../../storage/columns.ts";
import { names } from "../../../storage/names.ts";
import { shape } from "../../../storage/shape.ts";
import { icaoType } from "../../fleet/fleet.schemas.ts";
import { aircraftRegistration } from "../../fleet/fleet.shapes.ts";
import { personName } from "../../people/people.shapes.ts";
import { programName } from "../../training/programs/programs.queries.ts";
import { currency, newVat, price_minor, validity, vat } from "../finance.fields.ts";
import { audiences, fuels, rateKinds, financeRates as table } from "../finance.tables.ts";

const forAll = (description: string) => ({ description: `${description} Null: for all.` });

const kind = z.enum(rateKinds).meta({
  description:
    "`aircraft`: an hour of the aircraft's billing basis. `instructor`: an hour of block time. `landing`: a landing at the place of arrival. `fuel_surcharge`: an hour, on top. `fuel`: a litre taken on, with a dry aircraft rate. `program`: once, at the enrollment.",
  examples: ["aircraft"],
});

/** For what and for whom it is. */
const targets = {
  aircraft_id: idOf<"aircraft">()
    .nullable()
    .meta({ ...forAll("Not of instructors and programs."), examples: [null] }),
  icao_type: icaoType.nullable().meta({ ...forAll("Instead of an aircraft."), examples: ["C172"] }),
  instructor_id: idOf<"person">()
    .nullable()
    .meta({ ...forAll("Of the kind `instructor`."), examples: [null] }),
  place: icaoPlace.nullable().meta({ ...forAll("Of the kind `landing`."), examples: [null] }),
  program_id: idOf<"program">()
    .nullable()
    .meta({ ...forAll("Of the kind `program`."), examples: [null] }),
  audience: z
    .enum(audiences)
    .nullable()
    .meta({ ...forAll("Which customers pay it."), examples: [null] }),
  person_id: idOf<"person">()
    .nullable()
    .meta({ ...forAll("One customer's own price, instead of an audience."), examples: [null] }),
};

const fuel = z
  .enum(fuels)
  .nullable()
  .meta({
    description: "Of the kind `aircraft`: `wet` includes the fuel, `dry` does not. By default `wet`.",
    examples: ["wet"],
  });

const changing = {
  description: text(120)
    .nullable()
    .meta({ description: "What charges say; null: a usual text.", examples: ["Cessna 172, wet"] }),
  price_minor,
  ...validity,
};

export const NewRate = newOf("NewRate", {
  kind,
  fuel,
  ...targets,
  ...changing,
  ...newVat,
});
export type NewRate = z.infer<typeof NewRate>;

export const RateChange = changeOf("RateChange", { ...changing, ...vat });
export type RateChange = z.infer<typeof RateChange>;

export const RateListQuery = z.strictObject({
  ...paging,
  kind: z.enum(rateKinds).optional(),
  aircraft_id: idOf<"aircraft">().optional(),
  person_id: idOf<"person">().optional(),
});

export const rate = shape("Rate", {
  ...columns(table, {
    id: idOf<"rate">(),
    kind,
    fuel,
    ...targets,
    ...changing,
    currency,
    ...vat,
    ...stampsOut,
  }),
  ...names(table, {
    aircraft_id: aircraftRegistration,
    instructor_id: personName,
    program_id: programName,
    person_id: personName,
  }),
});
