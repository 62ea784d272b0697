import { z } from "zod";
import { Preview } from "../../finance/billing/billing.schemas.ts";
import { Check } from "../sessions/checks.schemas.ts";
import { session } from "../sessions/sessions.shapes.ts";

export const TriedSession = z
  .strictObject({
    session: session.schema.meta({
      description: "As it would be stored. Its `id` is not kept, unless it is the session that would be changed.",
    }),
    checks: z.array(Check).meta({ description: "What warns: as `…/checks` of the session." }),
    price: Preview.nullable().meta({
      description:
        "What it costs if it is flown for all of its time, without landings and fuel. Null: it is no flight, nobody pays, the school has no rates, or the caller may not see what the payer pays.",
    }),
  })
  .meta({ id: "PlanningDryRun" });
export type TriedSession = z.infer<typeof TriedSession>;
