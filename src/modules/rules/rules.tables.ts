/** Tenant database: what the school does about a rule that a flight does not meet. */
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import { actions, type RuleKey } from "./clearance-rules.ts";

/** Only the rules whose action differs from the default. */
export const clearanceRules = sqliteTable("clearance_rules", {
  key: text().$type<RuleKey>().primaryKey(),
  action: text({ enum: actions }).notNull(),
  updated_at: text().$type<Instant>().notNull(),
});
