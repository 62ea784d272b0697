/** The fields of rules and findings that flights have, too. */
import { z } from "zod";
import { idOf } from "../../http/fields.ts";
import { actions, ruleKeys } from "./clearance-rules.ts";

export const rule = z
  .enum(ruleKeys)
  .meta({ id: "ClearanceRuleKey", description: "The key of the rule.", examples: ["medical_expired"] });

export const action = z.enum(actions).meta({
  description:
    "`block`: the flight may not be made, and a flight that was made needs an acknowledgement. `warn`: those who decide are told. `off`: the rule is not evaluated.",
  examples: ["warn"],
});

export const foundAction = action
  .exclude(["off"])
  .meta({ description: "The school's action for the rule.", examples: ["block"] });

/** Of a flight that was made. */
export const FlightFinding = z
  .strictObject({
    rule,
    action: foundAction,
    person_id: idOf<"person">()
      .nullable()
      .meta({
        description: "The crew member, the supervisor of a solo flight, or the person who pays; null: the aircraft.",
        examples: [null],
      }),
    message: z.string().meta({ examples: ["Grounded: Nose wheel shimmy."] }),
    acknowledged_by: idOf<"user">()
      .nullable()
      .meta({ description: "The approver who approved the flight all the same.", examples: [null] }),
  })
  .meta({ id: "FlightFinding" });
export type FlightFinding = z.infer<typeof FlightFinding>;
