import { z } from "zod";
import { idOf, instantOut } from "../../../http/fields.ts";
import { instantQuery, integerQuery } from "../../../http/query.ts";
import { fault } from "../../../http/schema-fault.ts";
import { icaoType } from "../../fleet/fleet.schemas.ts";

export const SlotQuery = z
  .strictObject({
    icao_type: icaoType
      .optional()
      .meta({ description: "Any aircraft of this type (ICAO Doc 8643).", examples: ["C172"] }),
    aircraft_id: idOf<"aircraft">().optional(),
    instructor_id: idOf<"person">().optional(),
    student_id: idOf<"person">().optional().meta({ description: "Members with `planning:book` only: themselves." }),
    minutes: integerQuery(15, 1440, 60, "The length."),
    from: instantQuery.optional().meta({ description: "Now by default. The search ends 14 days later." }),
    limit: integerQuery(1, 50, 10, "How many slots at most."),
  })
  .refine(({ icao_type, aircraft_id, instructor_id }) => (icao_type ?? aircraft_id ?? instructor_id) !== undefined, {
    path: ["icao_type"],
    ...fault("one_needed", { fields: ["icao_type", "aircraft_id", "instructor_id"] }),
  });
export type SlotQuery = z.infer<typeof SlotQuery>;

export const Slot = z
  .strictObject({
    start_at: instantOut,
    end_at: instantOut,
    aircraft: z
      .strictObject({ id: idOf<"aircraft">(), registration: z.string().meta({ examples: ["D-EABC"] }) })
      .nullable(),
    instructor_id: idOf<"person">().nullable(),
    instructor_name: z
      .string()
      .nullable()
      .meta({ examples: ["Ines Instructor"] }),
  })
  .meta({ id: "PlanningSlot" });
export type Slot = z.infer<typeof Slot>;
