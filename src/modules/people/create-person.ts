import { authorize } from "../../core/actor.ts";
import { newId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import type { TenantContext } from "../../storage/context.ts";
import { addRow } from "../../storage/entity.ts";
import { personEntity } from "./people.queries.ts";
import type { NewPerson } from "./people.schemas.ts";
import type { Person } from "./people.shapes.ts";
import { checkPerson, requireMember } from "./person-rules.ts";

/**
 * Adds a person to the school, with or without an account.
 *
 * @throws VALIDATION_ERROR see `checkPerson`; the account is not a member of the organization
 * @throws CONFLICT another person is linked to the account
 */
export async function createPerson(context: TenantContext, input: NewPerson): Promise<JsonOf<Person>> {
  authorize(context.actor, "people:manage");
  await requireMember(context, input.user_id);
  const id = newId<"person">(context.clock);

  return context.tenant.write(async (tx) => {
    const row = { id, ...input, created_at: tx.now, updated_at: tx.now };
    await checkPerson(tx, row);
    return addRow(tx, context, personEntity, { action: "person.created", row });
  });
}
