import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import type { OrgId, UserId } from "../core/ids.ts";

/** One row that describes the file, so that another installation can adopt a copy. */
export const meta = sqliteTable("meta", {
  only: integer().primaryKey().default(1),
  org_id: text().$type<OrgId>().notNull(),
  name: text().notNull(),
  /** IANA name. A copy of the organization's row in the control database, as the name is. */
  time_zone: text().notNull().default("UTC"),
  /** The time zone when older versions stored dates without their moments (`startOfStored`). Null: they stored none. */
  zone_of_dates: text(),
  created_at: text().$type<Instant>().notNull(),
  /** Since when the organization is suspended; null: it is not. A copy of the control database's fact, see `suspended.ts`. */
  suspended_at: text().$type<Instant>(),
  /** The tenant's key, sealed under the installation key with the id `sealed_by`. */
  data_key: text().notNull(),
  sealed_by: text().notNull(),
  /** On a server, the number of writes that a kept body may show, by which each node knows whether its own are current (`server/`). */
  changes: integer().notNull().default(0),
  /** On a server, the number of all writes, by which each node knows whether the marks that it stores are the newest. */
  writes: integer().notNull().default(0),
});

/**
 * The names of the accounts that have written here, beside `created_by` and its like (`names.ts`). Accounts are in the control
 * database, which no statement of a tenant can join.
 */
export const accountNames = sqliteTable("account_names", {
  /** Of the account. */
  id: text().$type<UserId>().primaryKey(),
  name: text().notNull(),
});
