/** The fields of a requirement and the input of the routes. */
import { z } from "zod";
import { issueCodes } from "../../../core/issues.ts";
import { isDistinct, text } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { changeOf, newOf } from "../../../storage/columns.ts";
import { roles } from "../compliance.tables.ts";
import { typeKey } from "../types/types.schemas.ts";

export const requirementFields = {
  applies_to: z.enum(roles).meta({
    description: "People of this type; all aircraft but those of class `FSTD`; or these, which are simulators.",
    examples: ["pilot"],
  }),
  any_of: z
    .array(typeKey)
    .min(1)
    .max(10)
    .refine(isDistinct, issueCodes.repeated)
    .meta({ description: "Keys of record types. A valid record of one of them is enough.", examples: [["medical"]] }),
  levels: z
    .array(text(20))
    .max(20)
    .refine(isDistinct, issueCodes.repeated)
    .meta({ description: "The levels that are enough. Empty: any.", examples: [["class_1", "class_2"]] }),
};

export const NewRequirement = newOf("NewComplianceRequirement", {
  ...requirementFields,
  levels: requirementFields.levels.default([]),
});
export type NewRequirement = z.infer<typeof NewRequirement>;

export const RequirementChange = changeOf("ComplianceRequirementChange", requirementFields);
export type RequirementChange = z.infer<typeof RequirementChange>;

export const RequirementListQuery = z.strictObject({ ...paging, applies_to: z.enum(roles).optional() });
