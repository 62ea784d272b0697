/** The JSON of an aircraft. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { idOf, instantOut, stampsOut } from "../../http/fields.ts";
import { columns } from "../../storage/columns.ts";
import { accountName, knownBy, names } from "../../storage/names.ts";
import { field, part, type Resource, shape } from "../../storage/shape.ts";
import { counters, masterData } from "./fleet.schemas.ts";
import { aircraftStatuses, groundingKinds, groundings, isOpenGrounding, aircraft as table } from "./fleet.tables.ts";

/** Beside the ids of aircraft. */
export const aircraftRegistration = knownBy(table, "registration", "D-EABC");

export const grounding = {
  id: idOf<"grounding">(),
  kind: z.enum(groundingKinds).meta({ examples: ["by_hand"] }),
  subject_id: idOf()
    .nullable()
    .meta({ description: "The defect, the maintenance item, or the type of the record; null if by hand." }),
  note: z.string().meta({ examples: ["Nose wheel shimmy."] }),
  since: instantOut,
  grounded_by: idOf<"user">().nullable().meta({ description: "The member; null if a job did it." }),
};

const openGrounding = part({ ...columns(groundings, grounding), ...names(groundings, { grounded_by: accountName }) });

/** In the order of ids, which is that of the index. */
const openGroundings = sql`(
  select json_group_array(${openGrounding.json}) from ${groundings}
  where ${groundings.aircraft_id} = ${table.id} and ${isOpenGrounding})`;

export const aircraft = shape("Aircraft", {
  ...columns(table, {
    id: idOf<"aircraft">(),
    ...masterData,
    currency: z
      .string()
      .nullable()
      .meta({ description: "ISO 4217; null if there is no hourly rate.", examples: ["EUR"] }),
    status: z.enum(aircraftStatuses).meta({ examples: ["available"] }),
    ...counters,
  }),
  groundings: field(
    z.array(openGrounding.schema).meta({ description: "Why it is grounded: the reasons that are not lifted." }),
    openGroundings,
  ),
  ...columns(table, { ...stampsOut }),
});

export type Aircraft = Resource<typeof aircraft>;
