/** How far an instructor with restricted privileges is. */
import { z } from "zod";
import { idOf } from "../../../http/fields.ts";
import { student } from "../enrollments/enrollments.shapes.ts";

const count = z.int().meta({ examples: [18] });
const part = z.strictObject({ required: count, done: count, missing: count });

export const Restriction = z
  .strictObject({
    person_id: idOf<"person">(),
    person_name: z.string().meta({ examples: ["Ines Instructor"] }),
    restricted: z
      .boolean()
      .meta({ description: "Whether the privileges are restricted, as the school has recorded it." }),
    supervisor: student.schema.nullable().meta({ description: "The instructor who supervises them." }),
    instruction_minutes: part.meta({
      description:
        "Block minutes as the instructor of approved and imported flights in aeroplanes and touring motor gliders. Sessions in a simulator do not count.",
    }),
    supervised_solos: part.meta({
      description:
        "Approved and imported solo flights of students in aeroplanes and touring motor gliders that the instructor supervised, as far as the records say so: the flight names them, or they signed off an item with it.",
    }),
    fulfilled: z.boolean().meta({ description: "Whether nothing is missing. The authority lifts the restriction." }),
    legal_basis: z.string().meta({ examples: ["FCL.910.FI, (EU) 1178/2011"] }),
  })
  .meta({ id: "InstructorRestriction" });
export type Restriction = z.output<typeof Restriction>;
