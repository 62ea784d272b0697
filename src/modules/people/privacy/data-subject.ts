import { and, eq, isNull, ne, type SQL } from "drizzle-orm";
import type { DataSubject } from "../../../storage/personal-data.ts";
import type { Reader } from "../../../storage/store.ts";
import { formerLinks, people } from "../people.tables.ts";
import type { PersonRow } from "../person-rules.ts";

/**
 * Returns the person with their present and former addresses and accounts. What is now another person's is left out: it was
 * entered by mistake, or is shared.
 */
export async function dataSubject(reader: Reader<"tenant">, person: PersonRow): Promise<DataSubject> {
  const links = [person, ...(await reader.select().from(formerLinks).where(eq(formerLinks.person_id, person.id)))];
  const ofOthers = async (isSame: SQL) =>
    (await reader.$count(people, and(isSame, ne(people.id, person.id), isNull(people.erased_at)))) > 0;
  const own = async <T>(values: readonly (T | null)[], isSame: (value: T) => SQL): Promise<T[]> => {
    const found: T[] = [];
    for (const value of distinct(values)) if (!(await ofOthers(isSame(value)))) found.push(value);
    return found;
  };
  const [name] = await own([person.name], (value) => eq(people.name, value));
  return {
    personId: person.id,
    name,
    emails: await own(
      links.map(({ email }) => email),
      (value) => eq(people.email, value),
    ),
    userIds: await own(
      links.map(({ user_id }) => user_id),
      (value) => eq(people.user_id, value),
    ),
  };
}

const distinct = <T>(values: readonly (T | null)[]): T[] => [...new Set(values.filter((value) => value !== null))];
