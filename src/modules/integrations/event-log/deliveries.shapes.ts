/** What a delivery looks like from outside: in lists, and with each of its attempts. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { deliveries, deliveryAttempts, deliveryStatuses, events } from "../../../events/events.tables.ts";
import { errorClasses } from "../../../events/outbound/outcome.ts";
import { idOf, instantOut } from "../../../http/fields.ts";
import { field, json, part, type Resource, shape } from "../../../storage/shape.ts";
import { eventId } from "./event-id.ts";
import { eventType } from "./event-log.schemas.ts";

const errorClass = z.enum(errorClasses).nullable();

const ofLastAttempt = (column: typeof deliveryAttempts.status_code | typeof deliveryAttempts.error_class) =>
  sql`(
    select ${column} from ${deliveryAttempts}
    where ${deliveryAttempts.delivery_id} = ${deliveries.id} and ${deliveryAttempts.number} = ${deliveries.attempts})`;

const headers = z.record(z.string(), z.string());

const attempt = part({
  number: field(z.int().meta({ description: "From 1.", examples: [1] }), deliveryAttempts.number),
  started_at: field(instantOut, deliveryAttempts.started_at),
  duration_ms: field(z.int().meta({ examples: [84] }), deliveryAttempts.duration_ms),
  status_code: field(
    z
      .int()
      .nullable()
      .meta({ description: "Of the answer; null when there was none.", examples: [200] }),
    deliveryAttempts.status_code,
  ),
  error_class: field(
    errorClass.meta({ description: "What went wrong; null when nothing did.", examples: [null] }),
    deliveryAttempts.error_class,
  ),
  request_headers: field(
    headers.nullable().meta({
      description:
        "As they were to be sent, but for the values of the endpoint's own headers, and without `Host`, `User-Agent` and `Content-Length`. Null when there was nothing to send.",
      examples: [{ "Content-Type": "application/json", "X-Receiver-Token": "***" }],
    }),
    json(deliveryAttempts.request_headers),
  ),
  response_headers: field(
    headers.nullable().meta({
      description:
        "The first 4 KiB of them, without cookies. Null when there was no answer, and for addresses in `WINDSOCK_WEBHOOK_ALLOW`.",
      examples: [{ "content-type": "text/plain" }],
    }),
    json(deliveryAttempts.response_headers),
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
    deliveryAttempts.response_body,
  ),
});

export const delivery = shape("Delivery", {
  id: field(
    idOf<"delivery">().meta({ description: "As in `X-SVC-Webhook-Delivery`, the same for each attempt." }),
    deliveries.id,
  ),
  event_id: field(eventId, deliveries.event_id),
  endpoint_id: field(idOf<"webhook_endpoint">(), deliveries.endpoint_id),
  event_type: field(eventType, sql`(select ${events.type} from ${events} where ${events.id} = ${deliveries.event_id})`),
  status: field(
    z.enum(deliveryStatuses).meta({
      description:
        "`pending`: waits for its next attempt; `delivering`: that is under way; `succeeded`: was answered 2xx; `failed`: five attempts were not; `cancelled`: the endpoint was deleted or disabled before, be it by the 410 it answered with.",
      examples: ["succeeded"],
    }),
    deliveries.status,
  ),
  attempt_count: field(z.int().meta({ description: "Attempts that have ended.", examples: [1] }), deliveries.attempts),
  last_status_code: field(
    z
      .int()
      .nullable()
      .meta({ description: "What the last attempt was answered with; null when it was not.", examples: [200] }),
    ofLastAttempt(deliveryAttempts.status_code),
  ),
  last_error_class: field(
    errorClass.meta({ description: "What went wrong with the last attempt; null when nothing did.", examples: [null] }),
    ofLastAttempt(deliveryAttempts.error_class),
  ),
  due_at: field(
    instantOut.nullable().meta({
      description: "Of the attempt to come or under way; null once the delivery has ended.",
      examples: [null],
    }),
    deliveries.due_at,
  ),
  created_at: field(instantOut, deliveries.created_at),
  finished_at: field(instantOut.nullable(), deliveries.finished_at),
});

/** A delivery with what was sent each time and what came back: at most five attempts. */
export const loggedDelivery = shape("LoggedDelivery", {
  ...delivery.fields,
  request_body: field(
    z.record(z.string(), z.unknown()).meta({
      description: "What each attempt sends: the same bytes every time.",
      examples: [{ event: { type: "webhook.test", id: "evt_01890a5dac96774bbcceb302099a8057" } }],
    }),
    sql`(
      select json_object('event', json_object('type', ${events.type}, 'id', ${events.id},
        'occurred_at', ${events.occurred_at}, 'data', json(${events.data})))
      from ${events} where ${events.id} = ${deliveries.event_id})`,
  ),
  attempts: field(
    z.array(attempt.schema).meta({ description: "Those that have ended, the first one first." }),
    sql`(
      select json_group_array(${attempt.json} order by ${deliveryAttempts.number})
      from ${deliveryAttempts} where ${deliveryAttempts.delivery_id} = ${deliveries.id})`,
  ),
});

export type LoggedDelivery = Resource<typeof loggedDelivery>;
