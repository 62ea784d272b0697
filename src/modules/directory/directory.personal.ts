import { and, eq } from "drizzle-orm";
import type { DataSubject, PersonalData } from "../../storage/personal-data.ts";
import { eraseFromTexts } from "../../storage/personal-texts.ts";
import type { Tx } from "../../storage/store.ts";
import { refreshEntry } from "./entries/refresh-entry.ts";
import { directoryProfiles as table } from "./profiles.tables.ts";

const isTheirs = ({ personId }: DataSubject) => and(eq(table.type, "instructors"), eq(table.subject_id, personId));

/** What the directory shows of the school, and of others in it, follows. An address, a number or a website is cleared. */
async function eraseFromOthers(tx: Tx<"tenant">, subject: DataSubject): Promise<void> {
  const cleared = ["email", "phone", "website"] as const;
  const isChanged = await eraseFromTexts(tx, table, ["headline", "description", "place"], subject, { cleared });
  for (const { type, id } of await tx.select({ type: table.type, id: table.subject_id }).from(table).where(isChanged))
    await refreshEntry(tx, { type, id });
}

/** The intent `person.erased` deletes the entry in the control database. */
export const directoryPersonal: PersonalData = {
  lists: {
    async *directory_profiles(tenant, subject) {
      yield* await tenant.read((reader) => reader.select().from(table).where(isTheirs(subject)));
    },
  },
  async erase(tx, subject) {
    await tx.delete(table).where(isTheirs(subject));
    await eraseFromOthers(tx, subject);
  },
};
