/** What a replay of many events looks like from outside. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { idOf, instantOut } from "../../../http/fields.ts";
import { field, type Resource, shape } from "../../../storage/shape.ts";
import { eventType } from "../event-log/event-log.schemas.ts";
import { replayKinds, replayStatuses, replays } from "./replays.tables.ts";

/** Days are as good as any unit here: only their ratio counts. */
const days = (from: typeof replays.begins_at, to: typeof replays.position_at | typeof replays.until) =>
  sql`(julianday(${to}) - julianday(${from}))`;

export const replay = shape("Replay", {
  id: field(idOf<"replay">(), replays.id),
  since: field(instantOut.meta({ examples: ["2025-06-01T00:00:00.000Z"] }), replays.since),
  until: field(
    instantOut.meta({ description: "Not later than the replay itself.", examples: ["2025-06-14T00:00:00.000Z"] }),
    replays.until,
  ),
  type: field(
    eventType.nullable().meta({ description: "Null: all types but `webhook.test`.", examples: ["flight.submitted"] }),
    replays.type,
  ),
  endpoint_id: field(
    idOf<"webhook_endpoint">()
      .nullable()
      .meta({ description: "Null: all that are enabled and subscribed.", examples: [null] }),
    replays.endpoint_id,
  ),
  only: field(z.enum(replayKinds).meta({ examples: ["undelivered"] }), replays.only),
  status: field(z.enum(replayStatuses).meta({ examples: ["running"] }), replays.status),
  considered: field(z.int().meta({ description: "Events looked at so far.", examples: [0] }), replays.considered),
  queued: field(z.int().meta({ description: "Deliveries queued so far.", examples: [0] }), replays.queued),
  progress: field(
    z.number().meta({
      description: "From 0 to 1: how much of the time from the first event to the end of the period is covered.",
      examples: [0],
    }),
    sql`case when ${replays.status} = 'done' then 1 when ${replays.position_at} is null then 0
      else round(${days(replays.begins_at, replays.position_at)} / ${days(replays.begins_at, replays.until)}, 4) end`,
  ),
  created_by: field(idOf<"user">(), replays.created_by),
  created_at: field(instantOut, replays.created_at),
  finished_at: field(
    instantOut.nullable().meta({ description: "Null while it is `running`.", examples: [null] }),
    replays.finished_at,
  ),
});

export type Replay = Resource<typeof replay>;
