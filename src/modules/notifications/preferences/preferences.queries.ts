import { eq } from "drizzle-orm";
import type { UserId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { notificationPreferences as table } from "../notifications.tables.ts";
import type { Preferences } from "./preferences.schemas.ts";

const byDefault: Preferences = {
  medical_expiring: true,
  compliance_expiring: true,
  maintenance_alert: true,
  planning: true,
  invoice: true,
};

/** Returns which mails a member wants. */
export async function preferencesOf(reader: Reader<"tenant">, userId: UserId): Promise<Preferences> {
  const { medical_expiring, compliance_expiring, maintenance_alert, planning, invoice } = table;
  const [row] = await reader
    .select({ medical_expiring, compliance_expiring, maintenance_alert, planning, invoice })
    .from(table)
    .where(eq(table.user_id, userId));
  return row ?? byDefault;
}
