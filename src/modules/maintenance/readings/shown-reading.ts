import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** A stored reading is below zero after the reversal of a flight from before a counter was corrected downwards. */
export const shownReading = (column: SQLWrapper): SQL => sql`max(0, ${column})`;
