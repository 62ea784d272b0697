import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";

/** One row that makes the file explain itself, so that a copy can be adopted by another installation. */
export const meta = sqliteTable("meta", {
  only: integer().primaryKey().default(1),
  orgId: text("org_id").$type<OrgId>().notNull(),
  name: text().notNull(),
  createdAt: text("created_at").$type<Instant>().notNull(),
  /** The tenant's own key, sealed under the installation's key that `sealedBy` names. */
  dataKey: text("data_key").notNull(),
  sealedBy: text("sealed_by").notNull(),
});
