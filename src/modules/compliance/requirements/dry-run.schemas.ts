/** What a change of the requirements would do: its input and its answer. */
import { z } from "zod";
import { dateField, idOf } from "../../../http/fields.ts";
import { fault } from "../../../http/schema-fault.ts";
import { evaluationStatuses } from "../compliance.tables.ts";
import { NewRequirement } from "./requirements.schemas.ts";

export const NewTrial = z
  .strictObject({
    requirement_id: idOf<"requirement">()
      .nullable()
      .default(null)
      .meta({ description: "The one that would change. Null: it would be added.", examples: [null] }),
    requirement: NewRequirement.nullable().meta({
      description: "What it would be afterwards, as a whole. Null: it would be removed.",
      examples: [{ applies_to: "pilot", any_of: ["medical"], levels: ["class_2"] }],
    }),
  })
  .refine(({ requirement_id, requirement }) => requirement_id !== null || requirement !== null, {
    ...fault("one_needed", { fields: ["requirement_id", "requirement"] }),
    path: ["requirement"],
  })
  .meta({ id: "ComplianceRequirementTrial" });
export type NewTrial = z.infer<typeof NewTrial>;

const status = z.enum(evaluationStatuses);
const count = z.int().min(0);

export const Trial = z
  .strictObject({
    on: dateField.meta({ description: "Today, where the organization is." }),
    concerned: count.meta({
      description: "How many people or aircraft it would apply to. 0 if it would be removed.",
      examples: [12],
    }),
    lacking: count.meta({ description: "How many of these would have no valid record for it.", examples: [3] }),
    becoming: z
      .strictObject({ not_compliant: count, expiring: count, compliant: count })
      .meta({ description: "How many people or aircraft would get another status, by the new one." }),
    subjects: z
      .array(
        z.strictObject({
          person_id: idOf<"person">().nullable(),
          aircraft_id: idOf<"aircraft">()
            .nullable()
            .meta({ examples: [null] }),
          name: z.string().meta({ description: "Of the person, or the registration.", examples: ["Anna Berg"] }),
          before: status.meta({ examples: ["compliant"] }),
          after: status.meta({ examples: ["not_compliant"] }),
        }),
      )
      .meta({ description: "The first 100 of these: those who would not be compliant before others, then by name." }),
  })
  .meta({ id: "ComplianceRequirementDryRun" });
export type Trial = z.infer<typeof Trial>;
