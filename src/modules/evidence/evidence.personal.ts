import { eq } from "drizzle-orm";
import { allRows, type PersonalData } from "../../storage/personal-data.ts";
import { addUsage } from "../attachments/usage.ts";
import { removeShareTokens } from "../sharing/sharing.personal.ts";
import { evidencePacks as table } from "./evidence.tables.ts";
import { pageOfPerson } from "./packs/packs.queries.ts";
import { removeParts } from "./packs/parts.ts";

/** The packs of the person, with their content and their links. Copies that others have stay. */
export const evidencePersonal: PersonalData = {
  lists: {
    evidence_packs: (tenant, { personId }) => allRows(tenant, (reader, page) => pageOfPerson(reader, personId, page)),
  },
  async erase(tx, { personId }) {
    const { id, size_bytes } = table;
    for (const pack of await tx.select({ id, size_bytes }).from(table).where(eq(table.person_id, personId))) {
      await removeShareTokens(tx, pack.id);
      await removeParts(tx, pack.id);
      if (pack.size_bytes !== null) await addUsage(tx, -pack.size_bytes);
    }
    await tx.update(table).set({ superseded_by: null }).where(eq(table.person_id, personId));
    await tx.delete(table).where(eq(table.person_id, personId));
  },
};
