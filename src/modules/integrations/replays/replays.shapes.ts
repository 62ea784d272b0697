/** The JSON of a replay of many events. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { idOf, instantOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { accountName, names } from "../../../storage/names.ts";
import { field, type Resource, shape } from "../../../storage/shape.ts";
import { endpointUrl } from "../webhooks/webhooks.shapes.ts";
import { endpoint_id, only, period, type } from "./replays.schemas.ts";
import { replayStatuses, replays } from "./replays.tables.ts";

/** The time between two instants in days. Any unit works, because only ratios are used. */
const days = (from: typeof replays.begins_at, to: typeof replays.position_at | typeof replays.until) =>
  sql`(julianday(${to}) - julianday(${from}))`;

export const replay = shape("Replay", {
  ...columns(replays, {
    id: idOf<"replay">(),
    ...period,
    type: type
      .nullable()
      .meta({ description: "Null: all types except `webhook.test`.", examples: ["flight.submitted"] }),
    endpoint_id: endpoint_id
      .nullable()
      .meta({ description: "Null: all endpoints that are enabled and subscribed.", examples: [null] }),
    only,
    status: z.enum(replayStatuses).meta({ examples: ["running"] }),
    considered: z.int().meta({ description: "Events processed so far.", examples: [0] }),
    queued: z.int().meta({ description: "Deliveries queued so far.", examples: [0] }),
  }),
  progress: field(
    z.number().meta({
      description: "From 0 to 1: the processed part of the time from the first event to the end of the period.",
      examples: [0],
    }),
    sql`case when ${replays.status} = 'done' then 1 when ${replays.position_at} is null then 0
      else round(${days(replays.begins_at, replays.position_at)} / ${days(replays.begins_at, replays.until)}, 4) end`,
  ),
  ...columns(replays, {
    created_by: idOf<"user">(),
    created_at: instantOut,
    finished_at: instantOut.nullable().meta({ description: "Null while it is `running`.", examples: [null] }),
  }),
  ...names(replays, { endpoint_id: endpointUrl, created_by: accountName }),
});

export type Replay = Resource<typeof replay>;
