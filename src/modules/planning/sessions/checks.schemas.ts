import { z } from "zod";
import { Clash } from "../../../http/responses.ts";

/** A rule that a session does not meet. */
export const Check = Clash.extend({
  action: z.enum(["block", "warn"]).meta({ examples: ["warn"] }),
}).meta({ id: "PlanningCheck" });
