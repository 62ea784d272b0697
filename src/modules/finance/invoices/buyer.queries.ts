import { eq } from "drizzle-orm";
import type { PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { people } from "../../people/people.tables.ts";
import { financeCustomers } from "../finance.tables.ts";
import type { Buyer } from "../invoices.tables.ts";

/** Returns the buyer: the person, where the customer states nothing else. The address is of one of the two. */
export async function buyerOf(reader: Reader<"tenant">, person_id: PersonId): Promise<Buyer> {
  const [found] = await reader
    .select({ person: people, customer: financeCustomers })
    .from(people)
    .leftJoin(financeCustomers, eq(financeCustomers.id, people.id))
    .where(eq(people.id, person_id));
  if (found === undefined) throw new Error(`There is no person ${person_id}.`);
  const { person, customer } = found;
  const stated = customer && (customer.street ?? customer.postcode ?? customer.city ?? customer.country) !== null;
  const { street, postcode, city, country } = stated ? customer : person;
  return {
    name: person.name,
    company: customer?.company ?? null,
    street,
    postcode,
    city,
    country,
    email: customer?.email ?? person.email,
    vat_id: customer?.vat_id ?? null,
    register_number: customer?.register_number ?? null,
    buyer_reference: customer?.buyer_reference ?? null,
    customer_number: customer?.customer_number ?? null,
  };
}
