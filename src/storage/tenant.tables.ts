import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";

/** One row that makes the file explain itself, so that a copy can be adopted by another installation. */
export const meta = sqliteTable("meta", {
  only: integer().primaryKey().default(1),
  org_id: text().$type<OrgId>().notNull(),
  name: text().notNull(),
  /** IANA name. Like the name it follows the organization's row in the control database. */
  time_zone: text().notNull().default("UTC"),
  created_at: text().$type<Instant>().notNull(),
  /** The tenant's own key, sealed under the installation's key that `sealedBy` names. */
  data_key: text().notNull(),
  sealed_by: text().notNull(),
});
