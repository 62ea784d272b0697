/** The rules of the clearance, with what the school has set. */
import { z } from "zod";
import { dateField, idOf } from "../../http/fields.ts";
import type { RuleKey } from "./clearance-rules.ts";
import { action, rule } from "./findings.schemas.ts";

export const source = z
  .strictObject({
    article: z.string().meta({ examples: ["MED.A.030"] }),
    regulation: z.string().meta({ examples: ["(EU) 2019/27"] }),
    effective_from: dateField,
  })
  .nullable()
  .meta({ description: "Null: a rule of the school." });

export const ClearanceRule = z
  .strictObject({
    key: rule,
    title: z.string().meta({ examples: ["The aircraft is not grounded"] }),
    action,
    default_action: action.meta({ description: "The action of a school that has not changed it." }),
    source,
  })
  .meta({ id: "ClearanceRule" });
export type ClearanceRule = z.infer<typeof ClearanceRule>;

export const RuleChange = z.strictObject({ action }).meta({ id: "ClearanceRuleChange" });

export const RuleRef = z.object({
  orgId: idOf<"organization">(),
  rule: z.string().meta({ examples: ["medical_missing" satisfies RuleKey] }),
});
