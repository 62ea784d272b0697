import { eq } from "drizzle-orm";
import { audit } from "../../../storage/audit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { notificationPreferences as table } from "../notifications.tables.ts";
import { preferencesOf } from "./preferences.queries.ts";
import type { Preferences, PreferencesChange } from "./preferences.schemas.ts";

/** Switches kinds of mail on and off for the caller. */
export async function changePreferences(context: InOrganization, change: PreferencesChange): Promise<Preferences> {
  const { userId } = context.actor;
  return context.tenant.write(async (tx) => {
    const before = await preferencesOf(tx, userId);
    await tx.delete(table).where(eq(table.user_id, userId));
    await tx.insert(table).values({ ...before, ...change, user_id: userId, updated_at: tx.now });
    const after = await preferencesOf(tx, userId);
    const subject = { kind: "member", id: userId };
    await audit(tx, context, "notification_preferences.changed", { subject, before, after });
    return after;
  });
}
