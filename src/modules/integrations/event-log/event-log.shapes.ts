/** What an event looks like from outside: listed, delivered, and with the story of its deliveries. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { deliveries, events } from "../../../events/events.tables.ts";
import { idOf, instantOut } from "../../../http/fields.ts";
import { cursorPage } from "../../../http/responses.ts";
import { bool, field, json, type Resource, shape } from "../../../storage/shape.ts";
import { delivery } from "./deliveries.shapes.ts";
import { eventId } from "./event-id.ts";
import { eventType } from "./event-log.schemas.ts";

/** One event runs through all examples here: the schema alone would pair one type's name with another's data. */
const exampleType = eventType.meta({ examples: ["webhook.test"] });
const exampleData = { endpoint_id: "01890a5d-ac96-774b-bcce-b302099a8057", message: "It works." };

/** The same object, field by field, that a webhook carries as its `event`. */
export const event = shape("Event", {
  type: field(exampleType, events.type),
  id: field(eventId, events.id),
  occurred_at: field(instantOut, events.occurred_at),
  data: field(
    z.record(z.string(), z.unknown()).meta({
      description: "What it is about, as it was when it occurred. The event catalog has the schema of each type.",
      examples: [exampleData],
    }),
    json(events.data),
  ),
});

/** How many of its deliveries an event is shown with; the rest are in a list of their own. */
const shownDeliveries = 20;

/** The delivery after the last that is shown. */
const oneMore = sql`
  select 1 from ${deliveries} where ${deliveries.event_id} = ${events.id}
  order by ${deliveries.id} desc limit 1 offset ${sql.raw(String(shownDeliveries))}`;

/** An event and what became of it. */
export const loggedEvent = shape("LoggedEvent", {
  ...event.fields,
  deliveries: field(
    z.array(delivery.schema).meta({
      description: `The newest ${shownDeliveries}: one for each endpoint and each replay.`,
    }),
    sql`json((
      select json_group_array(json(item)) from (
        select ${delivery.json} as item from ${deliveries} where ${deliveries.event_id} = ${events.id}
        order by ${deliveries.id} desc limit ${sql.raw(String(shownDeliveries))})))`,
  ),
  more_deliveries: field(
    z.boolean().meta({ description: "Whether there are older ones, to be listed by themselves.", examples: [false] }),
    bool(sql`exists (${oneMore})`),
  ),
});

export type LoggedEvent = Resource<typeof loggedEvent>;

export const EventPage = cursorPage(event.schema);

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
