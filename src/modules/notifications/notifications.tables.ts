/** Tenant database: which mails a member does not want. */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { UserId } from "../../core/ids.ts";

const wanted = () => integer({ mode: "boolean" }).notNull();

/** Which kinds of mail a member wants. A member without a row wants all. */
export const notificationPreferences = sqliteTable("notification_preferences", {
  user_id: text().$type<UserId>().primaryKey(),
  medical_expiring: wanted(),
  compliance_expiring: wanted(),
  maintenance_alert: wanted(),
  planning: wanted().default(true),
  invoice: wanted().default(true),
  updated_at: text().$type<Instant>().notNull(),
});
