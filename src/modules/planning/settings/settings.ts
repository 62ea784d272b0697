import { getTableColumns, sql } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { lookUp } from "../../../storage/lookup.ts";
import type { Reader } from "../../../storage/store.ts";
import { planningSettings as table } from "../planning.tables.ts";
import { defaults, type Settings, type SettingsChange } from "./settings.schemas.ts";

const { id: _id, updated_at: _updated_at, ...columns } = getTableColumns(table);
const row = lookUp(columns, sql`from ${table} where ${table.id} = 1`);

/** Returns the settings of the school, or the defaults. */
export const settingsOf = async (reader: Reader<"tenant">): Promise<Settings> => (await row(reader, {})) ?? defaults;

export async function changeSettings(context: TenantContext, change: SettingsChange): Promise<Settings> {
  authorize(context.actor, "planning:configure");
  return context.tenant.write(async (tx) => {
    const before = await settingsOf(tx);
    const after = { ...before, ...change };
    await tx.delete(table);
    await tx.insert(table).values({ id: 1, ...after, updated_at: tx.now });
    const subject = { kind: "planning_settings", id: "planning_settings" };
    await audit(tx, context, "planning_settings.updated", { subject, before, after });
    return after;
  });
}
