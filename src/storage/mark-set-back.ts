import { and, eq, gt } from "drizzle-orm";
import { type Instant, latestPlanned } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import { tenantMarks } from "./control.tables.ts";
import type { Control } from "./store.ts";

/**
 * Marks tenants as dirty whose last checkpoint is in the future: the clock was set back since. Their wake-up times are by the
 * wrong clock, so jobs and the dispatcher must open them.
 *
 * @returns them. Those that are open need a checkpoint.
 */
export async function markSetBack(control: Control, now: Instant): Promise<readonly OrgId[]> {
  const { org_id: id, dirty, marked_at } = tenantMarks;
  const isAhead = and(gt(marked_at, latestPlanned(now, 0)), eq(dirty, false));
  const ahead = await control.read((reader) => reader.select({ id }).from(tenantMarks).where(isAhead));
  if (ahead.length > 0) await control.write((tx) => tx.update(tenantMarks).set({ dirty: true }).where(isAhead));
  return ahead.map((row) => row.id);
}
