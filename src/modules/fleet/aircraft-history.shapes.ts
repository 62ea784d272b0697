/** The JSON of what happened to an aircraft besides its flights: why it was grounded, and how its counters were corrected. */
import { z } from "zod";
import { idOf, instantOut } from "../../http/fields.ts";
import { columns } from "../../storage/columns.ts";
import { accountName, names } from "../../storage/names.ts";
import { field, shape, signedHundredths } from "../../storage/shape.ts";
import { aircraftRegistration, grounding } from "./fleet.shapes.ts";
import { groundings, counterCorrections as table } from "./fleet.tables.ts";

export const pastGrounding = shape("Grounding", {
  ...columns(groundings, {
    ...grounding,
    aircraft_id: idOf<"aircraft">(),
    lifted_at: instantOut.nullable().meta({ description: "Null: it is not lifted." }),
    lifted_by: idOf<"user">().nullable().meta({ description: "The member; null if no member did it." }),
    lift_note: z
      .string()
      .nullable()
      .meta({ description: "What the member wrote who lifted it.", examples: ["Shimmy damper serviced."] }),
  }),
  ...names(groundings, { aircraft_id: aircraftRegistration, grounded_by: accountName, lifted_by: accountName }),
});

/** Hours that may be negative. */
const addedHours = (column: typeof table.hobbs | typeof table.tacho) =>
  field(
    z
      .string()
      .regex(/^-?\d+\.\d{2}$/)
      .meta({ description: "By how many hours.", examples: ["5.75"] }),
    signedHundredths(column),
  );

export const counterCorrection = shape("CounterCorrection", {
  ...columns(table, { id: idOf<"correction">(), aircraft_id: idOf<"aircraft">() }),
  hobbs: addedHours(table.hobbs),
  tacho: addedHours(table.tacho),
  ...columns(table, {
    airframe_minutes: z.int().meta({ description: "By how many minutes.", examples: [30] }),
    landings: z.int().meta({ description: "By how many.", examples: [0] }),
    reason: z.string().meta({ examples: ["The tachometer was replaced."] }),
    corrected_by: idOf<"user">().nullable().meta({ description: "The member; null if no member did it." }),
    corrected_at: instantOut,
  }),
  ...names(table, { aircraft_id: aircraftRegistration, corrected_by: accountName }),
});
