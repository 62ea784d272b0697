/**
 * Whether an organization is suspended, by its own file. The control database decides that, and an intent carries it here: so a
 * transaction on the file knows it, whenever its request was admitted.
 */
import { sql } from "drizzle-orm";
import type { Instant } from "../core/clock.ts";
import { organizationSuspended } from "../core/errors.ts";
import { lookUp } from "./lookup.ts";
import type { Reader, Tenant } from "./store.ts";
import { meta } from "./tenant.tables.ts";

const suspension = lookUp({ at: meta.suspended_at }, sql`from ${meta} where ${meta.suspended_at} is not null`);

/** Returns since when the organization is suspended; null: it is not. */
export const suspendedSince = async (reader: Reader<"tenant">): Promise<Instant | null> =>
  (await suspension(reader, {}))?.at ?? null;

/** Returns a tenant whose writes are refused while its organization is suspended. */
export const refusingSuspended = (tenant: Tenant): Tenant => ({
  ...tenant,
  write: (body) =>
    tenant.write(async (tx) => {
      const suspended_at = await suspendedSince(tx);
      if (suspended_at !== null) throw organizationSuspended({ suspended_at });
      return body(tx);
    }),
});
