import { and, asc, eq, sql } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import type { EventId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { Bytes } from "../../../core/kept-body.ts";
import { firstEventIdAt } from "../../../events/emit.ts";
import { events } from "../../../events/events.tables.ts";
import { ascending, descending, pageBody, resumable } from "../../../storage/page.ts";
import { type Resource, resource, resourceBy } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import type { EventListQuery } from "./event-log.schemas.ts";
import { event, type LoggedEvent, loggedEvent } from "./event-log.shapes.ts";

type TenantReader = Reader<"tenant">;

const newestFirst = descending(event, "id");
const oldestFirst = resumable(ascending(event, "id"));

/** Returns JSON text, newest first by default. */
export const listEvents = (
  reader: TenantReader,
  { type, since, until, order, limit, cursor }: EventListQuery,
): Promise<Bytes> => {
  const forward = order === "asc";
  // `+` on the bound at which the list begins: with a cursor, SQLite searches from there.
  const start = (isStart: boolean) => sql.raw(isStart && cursor ? "+" : "");
  return pageBody(reader, event, {
    from: events,
    orderBy: forward ? oldestFirst : newestFirst,
    where: and(
      type && eq(events.type, type),
      since && sql`${start(forward)}${events.id} >= ${firstEventIdAt(since)}`,
      until && sql`${start(!forward)}${events.id} < ${firstEventIdAt(until)}`,
    ),
    cursor,
    limit,
  });
};

/** Returns when the oldest event occurred, or null. */
export async function oldestEvent(reader: TenantReader): Promise<Instant | null> {
  const [row] = await reader.select({ at: events.occurred_at }).from(events).orderBy(asc(events.id)).limit(1);
  return row?.at ?? null;
}

/** Returns the event as the public API shows it: as it was sent. @throws NOT_FOUND it was never emitted, or is deleted by now */
export const findEvent = (reader: TenantReader, id: EventId): Promise<JsonOf<Resource<typeof event>>> =>
  eventById(reader, { id });

const eventById = resourceBy(event, { from: events, where: eq(events.id, sql.placeholder("id")) });

/** Returns the event with its newest deliveries. @throws NOT_FOUND */
export const findLoggedEvent = (reader: TenantReader, id: EventId): Promise<LoggedEvent> =>
  resource(reader, loggedEvent, { from: events, where: eq(events.id, id) });
