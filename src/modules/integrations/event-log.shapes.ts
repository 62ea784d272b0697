/** What an event looks like from outside: listed, delivered, and with the story of its deliveries. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { deliveries, deliveryAttempts, deliveryStatuses, events } from "../../events/events.tables.ts";
import { idOf, instantOut } from "../../http/fields.ts";
import { field, json, part, type Resource, shape } from "../../storage/shape.ts";
import { cursorAfter, eventId, eventType } from "./event-log.schemas.ts";

/** One event runs through all examples here: the schema alone would pair one type's name with another's data. */
const exampleType = eventType.meta({ examples: ["webhook.test"] });
const exampleData = { endpoint_id: "01890a5d-ac96-774b-bcce-b302099a8057", message: "It works." };

/** The same object, field by field, that a webhook carries as its `event`. */
export const event = shape("Event", {
  type: field(exampleType, events.type),
  id: field(eventId, events.id),
  occurred_at: field(instantOut, events.occurredAt),
  data: field(
    z.record(z.string(), z.unknown()).meta({
      description: "What it is about, as it was when it occurred. The event catalog has the schema of each type.",
      examples: [exampleData],
    }),
    json(events.data),
  ),
});

const attempt = part({
  number: field(z.int().meta({ description: "From 1.", examples: [1] }), deliveryAttempts.number),
  started_at: field(instantOut, deliveryAttempts.startedAt),
  duration_ms: field(z.int().meta({ examples: [84] }), deliveryAttempts.durationMs),
  status_code: field(
    z
      .int()
      .nullable()
      .meta({ description: "Of the answer; null when there was none.", examples: [200] }),
    deliveryAttempts.statusCode,
  ),
  error_class: field(
    z
      .string()
      .nullable()
      .meta({ description: "What went wrong, for programs; null when nothing did.", examples: [null] }),
    deliveryAttempts.errorClass,
  ),
  response_headers: field(
    z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "Of the answer; null when there was none.", examples: [{ "content-type": "text/plain" }] }),
    json(deliveryAttempts.responseHeaders),
  ),
  response_body: field(
    z
      .string()
      .nullable()
      .meta({
        description:
          "Its first 16 KiB as text. Null when there was none, and for addresses in `WINDSOCK_WEBHOOK_ALLOW`.",
        examples: ["ok"],
      }),
    deliveryAttempts.responseBody,
  ),
});

const delivery = part({
  id: field(
    idOf<"delivery">().meta({ description: "As in `X-SVC-Webhook-Delivery`, the same for each attempt." }),
    deliveries.id,
  ),
  endpoint_id: field(idOf<"webhook_endpoint">(), deliveries.endpointId),
  status: field(z.enum(deliveryStatuses).meta({ examples: ["succeeded"] }), deliveries.status),
  due_at: field(
    instantOut.nullable().meta({
      description: "Of the attempt to come or under way; null once the delivery has ended.",
      examples: [null],
    }),
    deliveries.dueAt,
  ),
  created_at: field(instantOut, deliveries.createdAt),
  finished_at: field(instantOut.nullable(), deliveries.finishedAt),
  attempts: field(
    z.array(attempt.schema).meta({ description: "Those that have ended, the first one first." }),
    sql`(
      select json_group_array(${attempt.json} order by ${deliveryAttempts.number})
      from ${deliveryAttempts} where ${deliveryAttempts.deliveryId} = ${deliveries.id})`,
  ),
});

/** An event and what became of it. */
export const loggedEvent = shape("LoggedEvent", {
  ...event.fields,
  deliveries: field(
    z.array(delivery.schema).meta({ description: "One for each endpoint and each replay, the first one first." }),
    sql`(
      select json_group_array(${delivery.json} order by ${deliveries.id})
      from ${deliveries} where ${deliveries.eventId} = ${events.id})`,
  ),
});

export type LoggedEvent = Resource<typeof loggedEvent>;

export const EventPage = z.strictObject({
  data: z.array(event.schema),
  page: z
    .strictObject({
      limit: z.int().meta({ examples: [100] }),
      has_more: z.boolean().meta({ examples: [true] }),
      next_cursor: z
        .string()
        .nullable()
        .meta({
          description: "For the next page, as `cursor`; null when there is none.",
          examples: [cursorAfter("evt_01890a5dac96774bbcceb302099a8057")],
        }),
    })
    .meta({ id: "CursorPage" }),
});

/** Deliveries that were just queued: of a replay, or of a ping. */
export const dispatched = z
  .strictObject({
    event_id: eventId,
    delivery_ids: z
      .array(idOf<"delivery">())
      .meta({ description: "Of the new deliveries; none when no endpoint is enabled and subscribed." }),
  })
  .meta({ id: "Dispatched" });

export type Dispatched = z.infer<typeof dispatched>;

export const catalogEntry = z
  .strictObject({
    type: exampleType,
    stability: z.enum(["stable", "beta", "planned"]).meta({
      description: "`stable` is frozen, `beta` may grow in a minor release, `planned` is reserved and not emitted.",
      examples: ["stable"],
    }),
    description: z.string().meta({ examples: ["An endpoint was asked to show that it works."] }),
    emitted: z.boolean().meta({ description: "Whether this installation emits it.", examples: [true] }),
    schema: z
      .record(z.string(), z.unknown())
      .meta({ description: "JSON Schema of `data`.", examples: [{ type: "object" }] }),
    example: z.record(z.string(), z.unknown()).meta({ description: "One such `data`.", examples: [exampleData] }),
  })
  .meta({ id: "EventCatalogEntry" });
