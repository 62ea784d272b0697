/** The JSON of a delivery: in lists, and with its attempts. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { deliveries, deliveryAttempts, deliveryStatuses, events } from "../../../events/events.tables.ts";
import { errorClasses } from "../../../events/outbound/outcome.ts";
import { idOf, instantOut } from "../../../http/fields.ts";
import { names } from "../../../storage/names.ts";
import { field, json, part, type Resource, shape } from "../../../storage/shape.ts";
import { endpointUrl } from "../webhooks/webhooks.shapes.ts";
import { eventId, eventType } from "./event-log.schemas.ts";

const errorClass = z.enum(errorClasses).nullable();

const ofLastAttempt = (column: typeof deliveryAttempts.status_code | typeof deliveryAttempts.error_class) =>
  sql`(
    select ${column} from ${deliveryAttempts}
    where ${deliveryAttempts.delivery_id} = ${deliveries.id} and ${deliveryAttempts.number} = ${deliveries.attempts})`;

const headers = z.record(z.string(), z.string());

const attempt = part({
  number: field(z.int().meta({ description: "Starts at 1.", examples: [1] }), deliveryAttempts.number),
  started_at: field(instantOut, deliveryAttempts.started_at),
  duration_ms: field(z.int().meta({ examples: [84] }), deliveryAttempts.duration_ms),
  status_code: field(
    z
      .int()
      .nullable()
      .meta({ description: "The status of the response; null if there was none.", examples: [200] }),
    deliveryAttempts.status_code,
  ),
  error_class: field(
    errorClass.meta({
      description:
        "The kind of error; null if the attempt succeeded. `connect`: no connection. `no_response`: the receiver closed the connection without a valid response, and may have read the request.",
      examples: [null],
    }),
    deliveryAttempts.error_class,
  ),
  request_headers: field(
    headers.nullable().meta({
      description:
        "The headers of the request, with masked values of the endpoint's own headers, and without `Host`, `User-Agent` and `Content-Length`. Null if no request was made.",
      examples: [{ "Content-Type": "application/json", "X-Receiver-Token": "***" }],
    }),
    json(deliveryAttempts.request_headers),
  ),
  response_headers: field(
    headers.nullable().meta({
      description:
        "The first 4 KiB of the response headers, without cookies. Null if there was no response, and for addresses in `WINDSOCK_WEBHOOK_ALLOW`.",
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
          "The first 16 KiB of the response body as text. Null if there was none, and for addresses in `WINDSOCK_WEBHOOK_ALLOW`.",
        examples: ["ok"],
      }),
    deliveryAttempts.response_body,
  ),
});

export const delivery = shape("Delivery", {
  id: field(
    idOf<"delivery">().meta({ description: "The value of `X-SVC-Webhook-Delivery`. It is the same for each attempt." }),
    deliveries.id,
  ),
  event_id: field(eventId, deliveries.event_id),
  endpoint_id: field(idOf<"webhook_endpoint">(), deliveries.endpoint_id),
  ...names(deliveries, { endpoint_id: endpointUrl }),
  event_type: field(eventType, sql`(select ${events.type} from ${events} where ${events.id} = ${deliveries.event_id})`),
  status: field(
    z.enum(deliveryStatuses).meta({
      description:
        "`pending`: waits for its next attempt; `delivering`: an attempt is in progress; `succeeded`: the response was 2xx; `failed`: five attempts failed; `cancelled`: the endpoint was deleted or disabled, or answered 410.",
      examples: ["succeeded"],
    }),
    deliveries.status,
  ),
  attempt_count: field(
    z.int().meta({ description: "The number of finished attempts.", examples: [1] }),
    deliveries.attempts,
  ),
  last_status_code: field(
    z
      .int()
      .nullable()
      .meta({
        description: "The response status of the last attempt; null if there was no response.",
        examples: [200],
      }),
    ofLastAttempt(deliveryAttempts.status_code),
  ),
  last_error_class: field(
    errorClass.meta({ description: "The kind of error of the last attempt; null if it succeeded.", examples: [null] }),
    ofLastAttempt(deliveryAttempts.error_class),
  ),
  due_at: field(
    instantOut.nullable().meta({
      description: "When the next attempt, or the one in progress, is due; null after the last attempt.",
      examples: [null],
    }),
    deliveries.due_at,
  ),
  created_at: field(instantOut, deliveries.created_at),
  finished_at: field(instantOut.nullable(), deliveries.finished_at),
});

/** A delivery with the requests and responses of its attempts, at most five. */
export const loggedDelivery = shape("LoggedDelivery", {
  ...delivery.fields,
  request_body: field(
    z.record(z.string(), z.unknown()).meta({
      description: "The body of the request. All attempts send the same bytes.",
      examples: [{ event: { type: "webhook.test", id: "evt_01890a5dac96774bbcceb302099a8057" } }],
    }),
    sql`(
      select json_object('event', json_object('type', ${events.type}, 'id', ${events.id},
        'occurred_at', ${events.occurred_at}, 'data', json(${events.data})))
      from ${events} where ${events.id} = ${deliveries.event_id})`,
  ),
  attempts: field(
    z.array(attempt.schema).meta({ description: "The finished attempts, in order." }),
    sql`(
      select json_group_array(json(ordered.value)) from (select ${attempt.json} as value from ${deliveryAttempts}
        where ${deliveryAttempts.delivery_id} = ${deliveries.id} order by ${deliveryAttempts.number}) as ordered)`,
  ),
});

export type LoggedDelivery = Resource<typeof loggedDelivery>;
