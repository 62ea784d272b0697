/** The ids and types of events, and the input of the routes of events and deliveries. */
import { z } from "zod";
import type { EventId } from "../../../core/ids.ts";
import { eventTypes } from "../../../events/catalog.ts";
import { deliveryStatuses } from "../../../events/events.tables.ts";
import { idOf } from "../../../http/fields.ts";
import { byCursor, instantQuery } from "../../../http/query.ts";
import { fault } from "../../../http/schema-fault.ts";

const EVENT_ID = /^evt_[0-9a-f]{32}$/;

export const isEventId = (text: string): text is EventId => EVENT_ID.test(text);

/** The id of an event, in requests and responses. */
export const eventId = z
  .string()
  .regex(EVENT_ID)
  .meta({ examples: ["evt_01890a5dac96774bbcceb302099a8057"] }) as unknown as z.ZodType<EventId, string>;

export const eventType = z.enum(eventTypes).meta({ id: "EventType", examples: ["flight.approved"] });

/** `since` (inclusive) and `until` (exclusive) filter by `occurred_at`. */
export const EventListQuery = z
  .strictObject({
    type: eventType.optional(),
    since: instantQuery.optional(),
    until: instantQuery.optional(),
    order: z
      .enum(["asc", "desc"])
      .optional()
      .meta({
        description:
          "`desc` (the default): newest first. `asc`: oldest first; continue from `page.last_cursor` later to read every event after that one.",
        examples: ["asc"],
      }),
    ...byCursor,
  })
  .refine(({ since, until }) => since === undefined || until === undefined || since <= until, {
    path: ["until"],
    ...fault("not_before", { field: "since" }),
  });
export type EventListQuery = z.infer<typeof EventListQuery>;

export const EventRef = z.object({ orgId: idOf<"organization">(), eventId });
export const PublicEventRef = z.object({ eventId });

const deliveryFilters = { ...byCursor, status: z.enum(deliveryStatuses).optional() };

export const EndpointDeliveriesQuery = z.strictObject(deliveryFilters);
export const EventDeliveriesQuery = z.strictObject({
  ...deliveryFilters,
  endpoint_id: idOf<"webhook_endpoint">().optional(),
});
export const DeliveryRef = z.object({ orgId: idOf<"organization">(), deliveryId: idOf<"delivery">() });

/** The body is optional. */
export const ReplayRequest = z
  .strictObject({
    endpoint_id: idOf<"webhook_endpoint">()
      .optional()
      .meta({ description: "Only to this endpoint. 409: it is disabled or not subscribed to the event's type." }),
  })
  .optional()
  .meta({ id: "EventReplay" });

/** An empty object or no body. */
export const NoBody = z.strictObject({}).optional().meta({ id: "Nothing" });
