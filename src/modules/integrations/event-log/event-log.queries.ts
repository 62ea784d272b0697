import { and, eq, gte, lt, sql } from "drizzle-orm";
import type { EventId } from "../../../core/ids.ts";
import { firstEventIdAt } from "../../../events/emit.ts";
import { events } from "../../../events/events.tables.ts";
import { resource } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { cursorText } from "./cursor.ts";
import type { EventListQuery } from "./event-log.schemas.ts";
import { event, type LoggedEvent, loggedEvent } from "./event-log.shapes.ts";

type TenantReader = Reader<"tenant">;

/** Newest first. JSON text. */
export const listEvents = (
  reader: TenantReader,
  { type, since, until, limit, cursor }: EventListQuery,
): Promise<string> =>
  cursorText(reader, event, {
    from: sql`${events}`,
    id: sql`${events.id}`,
    where: and(
      type && eq(events.type, type),
      since && gte(events.id, firstEventIdAt(since)),
      until && lt(events.id, firstEventIdAt(until)),
    ),
    cursor,
    limit,
  });

/** The event with its newest deliveries. @throws NOT_FOUND */
export const findLoggedEvent = (reader: TenantReader, id: EventId): Promise<LoggedEvent> =>
  resource(reader, loggedEvent, { from: events, where: eq(events.id, id) });
