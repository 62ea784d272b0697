/** What the routes of replays take. */
import { z } from "zod";
import { shownAs } from "../../../http/documented-as.ts";
import { idOf, instantField } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { eventType } from "../event-log/event-log.schemas.ts";
import { replayKinds } from "./replays.tables.ts";

export const NewReplay = z
  .strictObject({
    since: instantField.meta({ description: "Inclusive, as `occurred_at`." }),
    until: instantField.meta({ description: "Exclusive; what is to come is left out." }),
    type: eventType.optional().meta({ description: "Without it, all types but `webhook.test`." }),
    endpoint_id: idOf<"webhook_endpoint">()
      .optional()
      .meta({ description: "To this endpoint alone; without it, to all that are enabled and subscribed." }),
    only: z
      .enum(replayKinds)
      .optional()
      .meta({
        description:
          "`failed`: what failed at an endpoint, and was not delivered there since. `undelivered`: whatever was not delivered there, be it that it was disabled then. `all`, as without it: the rest as well.",
        examples: ["undelivered"],
      }),
  })
  .refine(({ since, until }) => since < until, { path: ["until"], error: "Must be after `since`." })
  .meta({
    id: "NewReplay",
    ...shownAs({
      since: "2025-06-01T00:00:00.000Z",
      until: "2025-06-14T00:00:00.000Z",
      type: "flight.submitted",
      only: "undelivered",
    }),
  });
export type NewReplay = z.infer<typeof NewReplay>;

export const ReplayRef = z.object({ orgId: idOf<"organization">(), replayId: idOf<"replay">() });
export const ReplayListQuery = z.object({ ...paging });
