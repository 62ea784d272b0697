import { sql } from "drizzle-orm";
import type { Instant } from "../core/clock.ts";
import type { Reader } from "../storage/store.ts";
import { deliveries } from "./events.tables.ts";

/** What one organization still has to deliver. */
export interface Backlog {
  /** Deliveries that have not ended: pending, claimed, or under way. So many are counted at most: `mostCounted`. */
  deliveries: number;
  /** When the one that is due for longest was due, or the first will be; null when there is none. */
  oldestDue: Instant | null;
}

/** Whoever has more has a lot; counting on would only take time. */
export const mostCounted = 100_000;

/** Reads no more than two partial indexes. */
export async function backlogOf(reader: Reader<"tenant">): Promise<Backlog> {
  const [row] = await reader.values<[number, Instant | null]>(sql`
    select count(*), min(due) from (
      select * from (
        select ${deliveries.dueAt} as due from ${deliveries}
        where ${deliveries.status} = 'pending' order by ${deliveries.dueAt} limit ${mostCounted})
      union all
      select ${deliveries.dueAt} from ${deliveries} where ${deliveries.status} = 'delivering')`);
  return { deliveries: row?.[0] ?? 0, oldestDue: row?.[1] ?? null };
}
