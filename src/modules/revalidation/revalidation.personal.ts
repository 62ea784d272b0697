import { eq } from "drizzle-orm";
import type { PersonalData } from "../../storage/personal-data.ts";
import { revalidationNotices as notices } from "./revalidation.tables.ts";

/** What somebody lacks is computed. Only when they were told is kept. */
export const revalidationPersonal: PersonalData = {
  lists: {
    async *revalidation_notices(tenant, { personId }) {
      yield* await tenant.read((reader) => reader.select().from(notices).where(eq(notices.person_id, personId)));
    },
  },
  async erase(tx, { personId }) {
    await tx.delete(notices).where(eq(notices.person_id, personId));
  },
};
