import { eq } from "drizzle-orm";
import type { DataSubject } from "../../../storage/personal-data.ts";
import type { Reader } from "../../../storage/store.ts";
import { formerLinks } from "../people.tables.ts";
import type { PersonRow } from "../person-rules.ts";

/** Returns the person with their present and former addresses and accounts. */
export async function dataSubject(reader: Reader<"tenant">, person: PersonRow): Promise<DataSubject> {
  const links = [person, ...(await reader.select().from(formerLinks).where(eq(formerLinks.person_id, person.id)))];
  return {
    personId: person.id,
    name: person.name,
    emails: distinct(links.map(({ email }) => email)),
    userIds: distinct(links.map(({ user_id }) => user_id)),
  };
}

const distinct = <T>(values: readonly (T | null)[]): T[] => [...new Set(values.filter((value) => value !== null))];
