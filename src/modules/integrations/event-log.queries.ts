import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { EventId } from "../../core/ids.ts";
import { firstEventIdAt } from "../../events/emit.ts";
import { events } from "../../events/events.tables.ts";
import { resource } from "../../storage/shape.ts";
import type { Reader } from "../../storage/store.ts";
import { cursorAfter, type EventListQuery } from "./event-log.schemas.ts";
import { event, type LoggedEvent, loggedEvent } from "./event-log.shapes.ts";

type TenantReader = Reader<"tenant">;

/**
 * Newest first: ids sort by time, so a page ends at an id and the next one begins below it, whatever has been added above
 * in the meantime. JSON text.
 */
export async function listEvents(
  reader: TenantReader,
  { type, since, until, limit, cursor }: EventListQuery,
): Promise<string> {
  const matching = (below: SQL | EventId | undefined) =>
    and(
      type && eq(events.type, type),
      since && gte(events.id, firstEventIdAt(since)),
      until && lt(events.id, firstEventIdAt(until)),
      below && lt(events.id, below),
    ) ?? sql`true`;
  const [row] = await reader.values<[string | null, EventId | null, number]>(sql`
    with shown as materialized (
      select ${events.id} as id, ${event.json} as item from ${events}
      where ${matching(cursor)} order by ${events.id} desc limit ${limit})
    select group_concat(item, ','), min(id),
      exists (select 1 from ${events} where ${matching(sql`(select min(id) from shown)`)})
    from shown`);
  const [items, last, more] = row ?? [null, null, 0];
  const page = { limit, has_more: more === 1, next_cursor: more === 1 && last !== null ? cursorAfter(last) : null };
  return `{"data":[${items ?? ""}],"page":${JSON.stringify(page)}}`;
}

/** The event with its deliveries and their attempts. @throws NOT_FOUND */
export const findLoggedEvent = (reader: TenantReader, id: EventId): Promise<LoggedEvent> =>
  resource(reader, loggedEvent, { from: events, where: eq(events.id, id) });
