/** The JSON of an aircraft. */
import { z } from "zod";
import { idOf, instantOut } from "../../http/fields.ts";
import { columns } from "../../storage/columns.ts";
import { type Resource, shape } from "../../storage/shape.ts";
import { counters, masterData } from "./fleet.schemas.ts";
import { aircraftStatuses, aircraft as table } from "./fleet.tables.ts";

export const aircraft = shape(
  "Aircraft",
  columns(table, {
    id: idOf<"aircraft">(),
    ...masterData,
    currency: z
      .string()
      .nullable()
      .meta({ description: "ISO 4217; null if there is no hourly rate.", examples: ["EUR"] }),
    status: z.enum(aircraftStatuses).meta({ examples: ["available"] }),
    ...counters,
    created_at: instantOut,
    updated_at: instantOut,
  }),
);

export type Aircraft = Resource<typeof aircraft>;
