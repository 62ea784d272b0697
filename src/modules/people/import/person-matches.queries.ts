import { sql } from "drizzle-orm";
import type { PersonId } from "../../../core/ids.ts";
import { bool } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { type PersonStatus, people } from "../people.tables.ts";

export interface Marks {
  id?: PersonId | undefined;
  email?: string | null | undefined;
  licence_number?: string | null | undefined;
  name?: string | undefined;
}

interface PersonMatch {
  id: PersonId;
  email: string | null;
  licence_number: string | null;
  status: PersonStatus;
  /** Only their id is left of them. */
  erased: boolean;
}

/** Returns the people who have the id, the e-mail address, the licence number or the name. */
export async function findMatches(reader: Reader<"tenant">, marks: Marks): Promise<PersonMatch[]> {
  const { id = null, email = null, licence_number = null, name = null } = marks;
  const row = await reader.first(matches, { id, email, licence_number, name });
  return JSON.parse(String(row?.[0])) as PersonMatch[];
}

const { id, email, licence_number, name, status, erased_at } = people;

const matches = sql`select json_group_array(json_object(
    'id', ${id}, 'email', ${email}, 'licence_number', ${licence_number}, 'status', ${status},
    'erased', ${bool(sql`${erased_at} is not null`)}))
  from ${people} where ${id} = ${sql.placeholder("id")} or ${email} = ${sql.placeholder("email")}
    or ${licence_number} = ${sql.placeholder("licence_number")} or ${name} = ${sql.placeholder("name")}`;

/** Returns the active people or, if there are none, the archived ones. */
export function presentOnes(matches: readonly PersonMatch[]): PersonId[] {
  const active = matches.filter(({ status }) => status === "active");
  return (active.length > 0 ? active : matches).map(({ id }) => id);
}
