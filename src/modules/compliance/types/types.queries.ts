import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { idOf, stampsOut } from "../../../http/fields.ts";
import { rowShape } from "../../../storage/columns.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { lookUpAll } from "../../../storage/lookup.ts";
import { ascending, listOf } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { complianceRecords, complianceRequirements, complianceTypes as table } from "../compliance.tables.ts";
import { typeFields } from "./types.schemas.ts";

export const recordType = rowShape("RecordType", table, {
  id: idOf<"type">(),
  ...typeFields,
  built_in: z.boolean().meta({ description: "A type that every school has. It can't be removed.", examples: [false] }),
  ...stampsOut,
});

export const typeEntity = entityOf("compliance_type", { table, shape: recordType, path: { typeId: table.id } });

/** Returns JSON text, by key. */
export const listTypes = listOf(recordType, { from: table, orderBy: ascending(recordType, "key") });

/** Returns the type of that key. */
export async function typeByKey(reader: Reader<"tenant">, key: string): Promise<typeof table.$inferSelect | undefined> {
  const [row] = await reader.select().from(table).where(eq(table.key, key));
  return row;
}

const warnings = lookUpAll({ key: table.key, warning_days: table.warning_days }, sql`from ${table}`);

/** Returns the days of warning before an expiry, by the key of the type. */
export async function warningDays(reader: Reader<"tenant">): Promise<Readonly<Record<string, number>>> {
  const rows = await warnings(reader, {});
  return Object.fromEntries(rows.map(({ key, warning_days }) => [key, warning_days]));
}

/** Returns whether a record is of the type, or a requirement names it. */
export async function isInUse(reader: Reader<"tenant">, key: string): Promise<boolean> {
  const [row] = await reader.values<[number]>(sql`
    select exists (select 1 from ${complianceRecords} where ${complianceRecords.type} = ${key})
      or exists (select 1 from ${complianceRequirements}, json_each(${complianceRequirements.any_of}) as named
        where named.value = ${key})`);
  return row?.[0] === 1;
}
