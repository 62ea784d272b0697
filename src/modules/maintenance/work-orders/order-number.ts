import { sql } from "drizzle-orm";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { workOrders } from "../maintenance.tables.ts";

/**
 * Returns the number of the next work order, `2026-017`: by the year in the school. Numbers are free of gaps, since no work order is
 * removed.
 */
export async function nextOrderNumber(tx: Tx<"tenant">): Promise<string> {
  const { year } = await today(tx, tx.now);
  // A range of the index. `:` comes after all digits.
  const [row] = await tx.values<[number]>(sql`
    select coalesce(max(cast(substr(${workOrders.number}, 6) as integer)), 0) + 1 from ${workOrders}
    where ${workOrders.number} >= ${`${year}-`} and ${workOrders.number} < ${`${year}-:`}`);
  return `${year}-${String(row?.[0] ?? 1).padStart(3, "0")}`;
}
