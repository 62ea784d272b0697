import { sql } from "drizzle-orm";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { isOneOf, people } from "../../people/people.tables.ts";
import { type Audience, audiences, financeCustomers } from "../finance.tables.ts";

/** As stated for the customer; else a student, a member if an account is linked, or a guest. */
export const audienceOfPerson = sql`ifnull(
  (select ${financeCustomers.audience} from ${financeCustomers} where ${financeCustomers.id} = ${people.id}),
  case when ${isOneOf(people.types, ["student"])} then 'student'
    when ${people.user_id} is not null then 'member' else 'guest' end)`;

const audience = sql`select ${audienceOfPerson} from ${people} where ${people.id} = ${sql.placeholder("id")}`;

/** Returns which prices the person pays. */
export async function audienceOf(reader: Reader<"tenant">, id: PersonId): Promise<Audience> {
  const [found] = (await reader.first(audience, { id })) ?? [];
  return audiences.find((one) => one === found) ?? "guest";
}
