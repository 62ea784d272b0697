/** The JSON of an event: in lists and webhooks, and with its deliveries. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { deliveries, events } from "../../../events/events.tables.ts";
import { idOf, instantOut } from "../../../http/fields.ts";
import { cursorPage } from "../../../http/responses.ts";
import { bool, field, json, type Resource, shape } from "../../../storage/shape.ts";
import { delivery } from "./deliveries.shapes.ts";
import { eventId, eventType } from "./event-log.schemas.ts";

/** All examples show the same event, so that the type matches the data. */
const exampleType = eventType.meta({ examples: ["webhook.test"] });
const exampleData = { endpoint_id: "01890a5d-ac96-774b-bcce-b302099a8057", message: "It works." };

/** `documentedEventData` has its schema in the document: the modules define the types of events, and this is one. */
const eventData = z.record(z.string(), z.unknown()).meta({
  id: "EventData",
  description: "The data at the time of the event, one alternative for each type. The event catalog names their types.",
  examples: [exampleData],
});

/** The same object that a webhook request contains as `event`. */
export const event = shape("Event", {
  type: field(exampleType, events.type),
  id: field(eventId, events.id),
  occurred_at: field(instantOut, events.occurred_at),
  data: field(eventData, json(events.data)),
});

/** The number of deliveries in an event. The list of its deliveries has all of them. */
const shownDeliveries = 20;

/** Selects the first delivery that is not shown. */
const oneMore = sql`
  select 1 from ${deliveries} where ${deliveries.event_id} = ${events.id}
  order by ${deliveries.id} desc limit 1 offset ${sql.raw(String(shownDeliveries))}`;

/** An event with its newest deliveries. */
export const loggedEvent = shape("LoggedEvent", {
  ...event.fields,
  deliveries: field(
    z.array(delivery.schema).meta({
      description: `The newest ${shownDeliveries} deliveries. There is one for each endpoint and each replay.`,
    }),
    sql`json((
      select json_group_array(json(item)) from (
        select ${delivery.json} as item from ${deliveries} where ${deliveries.event_id} = ${events.id}
        order by ${deliveries.id} desc limit ${sql.raw(String(shownDeliveries))})))`,
  ),
  more_deliveries: field(
    z.boolean().meta({
      description: "Whether there are older deliveries. List the event's deliveries to read them.",
      examples: [false],
    }),
    bool(sql`exists (${oneMore})`),
  ),
});

export type LoggedEvent = Resource<typeof loggedEvent>;

export const EventPage = cursorPage(event.schema);

/** The deliveries that a replay or a ping has queued. */
export const dispatched = z
  .strictObject({
    event_id: eventId,
    delivery_ids: z
      .array(idOf<"delivery">())
      .meta({ description: "The ids of the new deliveries. Empty if no endpoint is enabled and subscribed." }),
  })
  .meta({ id: "Dispatched" });

export type Dispatched = z.infer<typeof dispatched>;

export const catalogEntry = z
  .strictObject({
    type: exampleType,
    stability: z.enum(["stable", "beta", "planned"]).meta({
      description:
        "`stable`: the schema is frozen; `beta`: a minor release may add fields; `planned`: the name is reserved, and no events are emitted.",
      examples: ["stable"],
    }),
    description: z.string().meta({ examples: ["An endpoint was asked to show that it works."] }),
    emitted: z
      .boolean()
      .meta({ description: "Whether this version emits events of this type: it emits all.", examples: [true] }),
    schema: z
      .record(z.string(), z.unknown())
      .meta({ description: "JSON Schema of `data`.", examples: [{ type: "object" }] }),
    example: z.record(z.string(), z.unknown()).meta({ description: "An example of `data`.", examples: [exampleData] }),
  })
  .meta({ id: "EventCatalogEntry" });
