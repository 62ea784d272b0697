import { sql } from "drizzle-orm";
import type { Instant } from "../../core/clock.ts";
import type { Reader } from "../../storage/store.ts";
import { startOf } from "../../storage/today.ts";
import { complianceRecords as records } from "../compliance/compliance.tables.ts";
import { revalidationLooks as looks } from "./revalidation.tables.ts";

const ever = "1970-01-01T00:00:00.000Z" as Instant;

/** Returns when the school is looked through next; null: nobody holds anything that is revalidated. */
export async function nextLook(reader: Reader<"tenant">): Promise<Instant | null> {
  const [look] = await reader.select().from(looks).limit(1);
  if (look) return startOf(reader, Temporal.PlainDate.from(look.next_on));
  const [held] = await reader.values(sql`select 1 from ${records}
    where ${records.type} in ('sep', 'tmg', 'fi', 'licence') limit 1`);
  return held === undefined ? null : ever;
}
