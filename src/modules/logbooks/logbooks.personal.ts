import { eq } from "drizzle-orm";
import type { PersonalData } from "../../storage/personal-data.ts";
import { findOpeningTotals } from "./logbook.queries.ts";
import { logbookOpenings } from "./logbooks.tables.ts";

export const logbooksPersonal: PersonalData = {
  lists: {
    async *logbook_opening_totals(tenant, { personId }) {
      yield (await tenant.read((reader) => findOpeningTotals(reader, personId))).value;
    },
  },
  erase: async (tx, { personId }) => {
    await tx.delete(logbookOpenings).where(eq(logbookOpenings.id, personId));
  },
};
