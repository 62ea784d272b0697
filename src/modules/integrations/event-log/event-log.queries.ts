import { and, asc, eq, gte, lt } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import type { EventId } from "../../../core/ids.ts";
import type { Bytes } from "../../../core/kept-body.ts";
import { firstEventIdAt } from "../../../events/emit.ts";
import { events } from "../../../events/events.tables.ts";
import { descending, pageBody } from "../../../storage/page.ts";
import { resource } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import type { EventListQuery } from "./event-log.schemas.ts";
import { event, type LoggedEvent, loggedEvent } from "./event-log.shapes.ts";

type TenantReader = Reader<"tenant">;

const newestFirst = descending(event, "id");

/** Returns JSON text, newest first. */
export const listEvents = (
  reader: TenantReader,
  { type, since, until, limit, cursor }: EventListQuery,
): Promise<Bytes> =>
  pageBody(reader, event, {
    from: events,
    orderBy: newestFirst,
    where: and(
      type && eq(events.type, type),
      since && gte(events.id, firstEventIdAt(since)),
      until && lt(events.id, firstEventIdAt(until)),
    ),
    cursor,
    limit,
  });

/** Returns when the oldest event occurred, or null. */
export async function oldestEvent(reader: TenantReader): Promise<Instant | null> {
  const [row] = await reader.select({ at: events.occurred_at }).from(events).orderBy(asc(events.id)).limit(1);
  return row?.at ?? null;
}

/** Returns the event with its newest deliveries. @throws NOT_FOUND */
export const findLoggedEvent = (reader: TenantReader, id: EventId): Promise<LoggedEvent> =>
  resource(reader, loggedEvent, { from: events, where: eq(events.id, id) });
