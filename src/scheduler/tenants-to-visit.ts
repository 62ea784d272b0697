import { lte, sql } from "drizzle-orm";
import { union } from "drizzle-orm/sqlite-core";
import { type Instant, toInstant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import { tenantMarks } from "../storage/control.tables.ts";
import type { Control, Reader, Tenant } from "../storage/store.ts";

/**
 * The tenants in which something may be due: those that said at their last checkpoint that something would be by now,
 * and those that have been written to since. A job that visits these need not open ten thousand files to find three.
 */
export function tenantsToVisit(reader: Reader<"control">, now: Instant) {
  const { org_id: orgId, dirty, next_wake_at: nextWakeAt } = tenantMarks;
  const marked = () => reader.select({ org_id: orgId }).from(tenantMarks);
  // One partial index each: SQLite takes neither for an OR, nor the first for `dirty = 1`.
  return union(marked().where(sql`${dirty}`), marked().where(lte(nextWakeAt, now)));
}

interface Deps {
  control: Control;
  tenant(id: OrgId): Tenant;
  log: { error(details: Record<string, unknown>, message: string): void };
}

export interface Visits {
  /** What `work` has counted, all together. */
  done: number;
  /** Tenants in which there was something to do. */
  tenants: number;
  /** Tenants that could not be visited. */
  failed: number;
}

/** Does `work` in each tenant in which something may be due. What is wrong with one is logged, and the others go on. */
export async function visit(
  { control, tenant, log }: Deps,
  now: Date,
  work: (tenant: Tenant) => Promise<number>,
): Promise<Visits> {
  const visits: Visits = { done: 0, tenants: 0, failed: 0 };
  for (const { org_id: orgId } of await control.read((reader) => tenantsToVisit(reader, toInstant(now)))) {
    try {
      const done = await work(tenant(orgId));
      visits.done += done;
      if (done > 0) visits.tenants += 1;
    } catch (err) {
      log.error({ organization_id: orgId, err }, "A job failed in one tenant; the others go on.");
      visits.failed += 1;
    }
  }
  return visits;
}
