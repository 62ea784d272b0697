/** What the routes of the event log take, in the console and in the public API. */
import { z } from "zod";
import { eventTypes } from "../../../events/catalog.ts";
import { idOf } from "../../../http/fields.ts";
import { byCursor, instantQuery } from "../../../http/query.ts";
import { eventId } from "./event-id.ts";

export const eventType = z.enum(eventTypes).meta({ examples: ["flight.approved"] });

/** `since` (inclusive) and `until` (exclusive) are of `occurred_at`. */
export const EventListQuery = z
  .object({
    type: eventType.optional(),
    since: instantQuery.optional(),
    until: instantQuery.optional(),
    ...byCursor,
  })
  .refine(({ since, until }) => since === undefined || until === undefined || since <= until, {
    path: ["until"],
    error: "Must not be before `since`.",
  });
export type EventListQuery = z.infer<typeof EventListQuery>;

export const EventRef = z.object({ orgId: idOf<"organization">(), eventId });
export const PublicEventRef = z.object({ eventId });

/** A body may be left out. */
export const ReplayRequest = z
  .strictObject({
    endpoint_id: idOf<"webhook_endpoint">()
      .optional()
      .meta({ description: "To this endpoint alone; 409 when it is disabled or not subscribed to the event's type." }),
  })
  .optional()
  .meta({ id: "EventReplay" });

/** Nothing: a body may be an empty object, or left out. */
export const NoBody = z.strictObject({}).optional().meta({ id: "Nothing" });
