import { authorize } from "../../core/actor.ts";
import { newId, type PersonId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { TenantContext } from "../../storage/context.ts";
import { readPerson } from "./people.queries.ts";
import type { NewPerson } from "./people.schemas.ts";
import type { Person } from "./people.shapes.ts";
import { people } from "./people.tables.ts";
import { checkPerson, type PersonRow, requireMember } from "./person-rules.ts";

/**
 * Adds a person to the school, with or without an account.
 *
 * @throws VALIDATION_ERROR see `checkPerson`; the account is no member here
 * @throws CONFLICT another person is linked to the account
 */
export async function createPerson(context: TenantContext, input: NewPerson): Promise<Person> {
  authorize(context.actor, "people:manage");
  await requireMember(context, input.user_id);
  const id: PersonId = newId(context.clock);

  return context.tenant.write(async (tx) => {
    const row: PersonRow = {
      id,
      name: input.name,
      email: input.email ?? null,
      types: input.types,
      date_of_birth: input.date_of_birth ?? null,
      licence_number: input.licence_number ?? null,
      ratings: input.ratings ?? [],
      user_id: input.user_id ?? null,
      restricted_instructor: input.restricted_instructor ?? false,
      supervisor_id: input.supervisor_id ?? null,
      created_at: tx.now,
      updated_at: tx.now,
    };
    await checkPerson(tx, row);
    await tx.insert(people).values(row);
    const created = await readPerson(tx, id);
    await audit(tx, context, "person.created", { subject: { kind: "person", id }, after: created });
    return created;
  });
}
