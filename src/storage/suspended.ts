/**
 * Whether an organization is suspended, by its own file. The control database decides that, and an intent carries it here: so a
 * transaction on the file knows it, whenever its request was admitted.
 */
import { sql } from "drizzle-orm";
import type { Instant } from "../core/clock.ts";
import { organizationSuspended } from "../core/errors.ts";
import { lookUp } from "./lookup.ts";
import type { Reader, Tx } from "./store.ts";
import { meta } from "./tenant.tables.ts";

const suspension = lookUp({ at: meta.suspended_at }, sql`from ${meta} where ${meta.suspended_at} is not null`);

/** Returns since when the organization is suspended; null: it is not. */
export const suspendedSince = async (reader: Reader<"tenant">): Promise<Instant | null> =>
  (await suspension(reader, {}))?.at ?? null;

/** Begins the writes of callers that are refused while the organization is suspended. @throws FORBIDDEN it is */
export async function refuseSuspended(tx: Tx<"tenant">): Promise<void> {
  const suspended_at = await suspendedSince(tx);
  if (suspended_at !== null) throw organizationSuspended({ suspended_at });
}
