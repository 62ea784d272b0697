import { and, eq } from "drizzle-orm";
import type { DataSubject, PersonalData } from "../../storage/personal-data.ts";
import { directoryProfiles as table } from "./profiles.tables.ts";

const isTheirs = ({ personId }: DataSubject) => and(eq(table.type, "instructors"), eq(table.subject_id, personId));

/** The intent `person.erased` deletes the entry in the control database. */
export const directoryPersonal: PersonalData = {
  lists: {
    async *directory_profiles(tenant, subject) {
      yield* await tenant.read((reader) => reader.select().from(table).where(isTheirs(subject)));
    },
  },
  async erase(tx, subject) {
    await tx.delete(table).where(isTheirs(subject));
  },
};
