/** When there is something to tidy up in a tenant next; null when never. Asked at each checkpoint, so each is one look-up. */
import { asc, min } from "drizzle-orm";
import type { Instant } from "../../core/clock.ts";
import { events, webhookEndpoints } from "../../events/events.tables.ts";
import type { Reader } from "../../storage/store.ts";

/** When the next signing secret stops signing. */
export async function nextSecretExpiry(reader: Reader<"tenant">): Promise<Instant | null> {
  const [row] = await reader.select({ at: min(webhookEndpoints.secondary_until) }).from(webhookEndpoints);
  return row?.at ?? null;
}

/** When the oldest event occurred. */
export async function oldestEvent(reader: Reader<"tenant">): Promise<Instant | null> {
  const [row] = await reader.select({ at: events.occurred_at }).from(events).orderBy(asc(events.id)).limit(1);
  return row?.at ?? null;
}
