/** The fields of a replay and the input of the routes. */
import { z } from "zod";
import { shownAs } from "../../../http/documented-as.ts";
import { idOf, instantField, instantOut } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { fault } from "../../../http/schema-fault.ts";
import { inputs } from "../../../storage/columns.ts";
import { eventType } from "../event-log/event-log.schemas.ts";
import { replayKinds } from "./replays.tables.ts";

const at = (example: string, description: string) => ({
  in: instantField.meta({ description }),
  out: instantOut.meta({ description, examples: [example] }),
});

/** The period, by `occurred_at`. */
export const period = {
  since: at("2025-06-01T00:00:00.000Z", "The start of the period, inclusive, by `occurred_at`."),
  until: at("2025-06-14T00:00:00.000Z", "The end of the period, exclusive. Not later than the start of the replay."),
};

export const type = eventType.meta({
  description: "Only events of this type. Default: all types except `webhook.test`.",
});

export const endpoint_id = idOf<"webhook_endpoint">().meta({
  description: "Only to this endpoint. Default: to all endpoints that are enabled and subscribed.",
});

export const only = z.enum(replayKinds).meta({
  description:
    "Which events to deliver to an endpoint. `failed`: those with a failed delivery and no later success. `undelivered`: those without a success, for example because the endpoint was disabled. `all`: all of them.",
  examples: ["undelivered"],
});

export const NewReplay = z
  .strictObject({
    ...inputs(period),
    type: type.optional(),
    endpoint_id: endpoint_id.optional(),
    only: only.default("all"),
  })
  .refine(({ since, until }) => since < until, { path: ["until"], ...fault("not_after", { field: "since" }) })
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
export const ReplayListQuery = z.strictObject({ ...paging });
