import { and, eq } from "drizzle-orm";
import type { MemberActor } from "../../../core/actor.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { resourceJson } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { people } from "../../people/people.tables.ts";
import { financeCustomers as table } from "../finance.tables.ts";
import { visibleTo } from "../own-money.queries.ts";
import { type Customer, customer, customerSource } from "./customers.shapes.ts";

/** @throws NOT_FOUND no such person, or the actor may not see their money */
export const findCustomer = (reader: Reader<"tenant">, id: PersonId, actor: MemberActor): Promise<JsonOf<Customer>> =>
  resourceJson(reader, customer, { from: customerSource, where: and(eq(people.id, id), visibleTo(actor, people.id)) });

/** Returns the address that invoices go to instead of the person's. */
export async function invoiceAddress(reader: Reader<"tenant">, id: PersonId): Promise<string | null> {
  const [stated] = await reader.select({ email: table.email }).from(table).where(eq(table.id, id));
  return stated?.email ?? null;
}

/** For the export: as above, if anything was stated. */
export const statedCustomer = async (reader: Reader<"tenant">, id: PersonId): Promise<JsonOf<Customer> | undefined> =>
  (await reader.$count(table, eq(table.id, id))) > 0
    ? resourceJson(reader, customer, { from: customerSource, where: eq(people.id, id) })
    : undefined;
