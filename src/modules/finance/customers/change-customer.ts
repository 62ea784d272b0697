import { and, eq, ne } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { conflict } from "../../../core/errors.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { audit } from "../../../storage/audit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { financeCustomers as table } from "../finance.tables.ts";
import { findCustomer } from "./customers.queries.ts";
import type { CustomerChange } from "./customers.schemas.ts";
import type { Customer } from "./customers.shapes.ts";

/** Changes how a person is charged and invoiced. @throws NOT_FOUND; CONFLICT another customer has the number, or the data was erased */
export async function changeCustomer(
  context: InOrganization,
  { personId, change }: { personId: PersonId; change: CustomerChange },
): Promise<JsonOf<Customer>> {
  const { actor, tenant } = context;
  authorize(actor, "finance:manage");
  return tenant.write(async (tx) => {
    const before = await findCustomer(tx, personId, actor);
    const person = await findPersonRow(tx, personId);
    if (person && person.erased_at !== null)
      throw conflict("person_erased", "The person's data was erased.", { erased_at: person.erased_at });
    if (change.customer_number) await requireFreeNumber(tx, change.customer_number, personId);
    const set = { ...change, updated_at: tx.now };
    await tx
      .insert(table)
      .values({ id: personId, created_at: tx.now, ...set })
      .onConflictDoUpdate({ target: table.id, set });
    const after = await findCustomer(tx, personId, actor);
    const subject = { kind: "finance_customer", id: personId };
    await audit(tx, context, "finance_customer.updated", { subject, before, after });
    return after;
  });
}

async function requireFreeNumber(tx: Tx<"tenant">, number: string, personId: PersonId): Promise<void> {
  const [other] = await tx
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.customer_number, number), ne(table.id, personId)));
  if (other)
    throw conflict("customer_number_taken", `Person ${other.id} has the customer number ${number}.`, {
      person_id: other.id,
    });
}
