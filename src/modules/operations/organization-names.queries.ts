import { sql } from "drizzle-orm";
import type { OrgId } from "../../core/ids.ts";
import { organizations } from "../../identity/identity.tables.ts";
import type { Reader } from "../../storage/store.ts";

/** Returns the names of some organizations. */
export async function organizationNames(
  reader: Reader<"control">,
  ids: readonly OrgId[],
): Promise<ReadonlyMap<OrgId, string>> {
  const { id, name } = organizations;
  const rows = await reader
    .select({ id, name })
    .from(organizations)
    .where(sql`${id} in (select value from json_each(${JSON.stringify(ids)}))`);
  return new Map(rows.map((row) => [row.id, row.name]));
}
