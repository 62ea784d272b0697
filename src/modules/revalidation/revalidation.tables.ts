/** Tenant database: who was told by mail what they lack, and when the school is looked through again. */
import { integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import type { LegalDate } from "../../core/dates.ts";
import type { Id, PersonId } from "../../core/ids.ts";
import { people } from "../people/people.tables.ts";
import { revalidationKinds } from "./assess.ts";

/** The last mail to a person about each kind. What it says is computed when it is sent. */
export const revalidationNotices = sqliteTable(
  "revalidation_notices",
  {
    id: text().$type<Id<"revalidation_notice">>().primaryKey(),
    person_id: text()
      .$type<PersonId>()
      .notNull()
      .references(() => people.id),
    kind: text({ enum: revalidationKinds }).notNull(),
    /** The last day of what they were told about. */
    until: text().$type<LegalDate>().notNull(),
    told_on: text().$type<LegalDate>().notNull(),
  },
  (table) => [unique("revalidation_notices_person").on(table.person_id, table.kind)],
);

/** One row, whose id is 1, once the school was looked through. */
export const revalidationLooks = sqliteTable("revalidation_looks", {
  id: integer().primaryKey(),
  next_on: text().$type<LegalDate>().notNull(),
});
