/** Tenant database: what logbooks need besides flights. */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { LegalDate } from "../../core/dates.ts";
import type { PersonId } from "../../core/ids.ts";
import { people } from "../people/people.tables.ts";

const sum = () => integer().notNull().default(0);

/** What a person has flown before the first flight of their logbook. */
export const logbookOpenings = sqliteTable("logbook_openings", {
  /** The person's. */
  id: text()
    .$type<PersonId>()
    .primaryKey()
    .references(() => people.id),
  as_of: text().$type<LegalDate>(),
  single_pilot_se_minutes: sum(),
  single_pilot_me_minutes: sum(),
  multi_pilot_minutes: sum(),
  total_minutes: sum(),
  day_landings: sum(),
  night_landings: sum(),
  night_minutes: sum(),
  ifr_minutes: sum(),
  pic_minutes: sum(),
  co_pilot_minutes: sum(),
  dual_minutes: sum(),
  instructor_minutes: sum(),
  simulator_minutes: sum(),
  created_at: text().$type<Instant>().notNull(),
  updated_at: text().$type<Instant>().notNull(),
});
