import { and, lt, sql } from "drizzle-orm";
import type { Instant } from "../../core/clock.ts";
import type { OrgId } from "../../core/ids.ts";
import { namespaces, tenantMarks } from "../control.tables.ts";
import type { Control } from "../store.ts";

/** Returns the namespaces that no organization owns. @param before those that were noted before this instant */
export const unownedNamespaces = (control: Control, before?: Instant): Promise<OrgId[]> =>
  control.read(async (reader) => {
    const { org_id, created_at } = namespaces;
    const isUnowned = sql`${org_id} not in (select ${tenantMarks.org_id} from ${tenantMarks})`;
    const rows = await reader
      .select({ org_id })
      .from(namespaces)
      .where(and(isUnowned, before && lt(created_at, before)));
    return rows.map((row) => row.org_id);
  });
