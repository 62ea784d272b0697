import { text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";

/** The columns of a row that can be changed. The writes of `verbs.ts` set them. */
export const stamps = {
  created_at: text().$type<Instant>().notNull(),
  updated_at: text().$type<Instant>().notNull(),
};
