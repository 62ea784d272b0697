/** What the routes of the event log take, in the console and in the public API. */
import { z } from "zod";
import type { EventId } from "../../core/ids.ts";
import { eventTypes } from "../../events/catalog.ts";
import { documentedAs } from "../../http/documented-as.ts";
import { idOf } from "../../http/fields.ts";
import { instantQuery, integerQuery } from "../../http/query.ts";

const EVENT_ID = /^evt_[0-9a-f]{32}$/;
const isEventId = (text: string): text is EventId => EVENT_ID.test(text);

/** An event's id, in and out. */
export const eventId = z
  .string()
  .regex(EVENT_ID)
  .meta({ examples: ["evt_01890a5dac96774bbcceb302099a8057"] }) as unknown as z.ZodType<EventId, string>;

export const eventType = z.enum(eventTypes).meta({ examples: ["flight.approved"] });

/** The opaque mark of where a page ended. */
export const cursorAfter = (id: EventId): string => Buffer.from(id).toString("base64url");

const readCursor = (cursor: string): EventId | undefined => {
  const id = Buffer.from(cursor, "base64url").toString();
  // Base64url can be written in several ways; only the one that was handed out is taken.
  return isEventId(id) && cursorAfter(id) === cursor ? id : undefined;
};

const cursorQuery = z
  .string()
  .transform((text, context) => {
    const id = readCursor(text);
    if (id !== undefined) return id;
    context.addIssue({ code: "custom", message: "Must be the `next_cursor` of a page before." });
    return z.NEVER;
  })
  .meta(
    documentedAs({
      type: "string",
      maxLength: 100,
      description: "The `next_cursor` of the page before; the other parameters stay as they were.",
      examples: [cursorAfter("evt_01890a5dac96774bbcceb302099a8057")],
    }),
  );

/** `since` (inclusive) and `until` (exclusive) are of `occurred_at`. */
export const EventListQuery = z
  .object({
    type: eventType.optional(),
    since: instantQuery.optional(),
    until: instantQuery.optional(),
    limit: integerQuery(1, 500, 100, "How many to return at most."),
    cursor: cursorQuery.optional(),
  })
  .refine(({ since, until }) => since === undefined || until === undefined || since <= until, {
    path: ["until"],
    error: "Must not be before `since`.",
  });
export type EventListQuery = z.infer<typeof EventListQuery>;

export const EventRef = z.object({ orgId: idOf<"organization">(), eventId });
export const PublicEventRef = z.object({ eventId });
