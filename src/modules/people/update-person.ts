import { eq } from "drizzle-orm";
import { authorize } from "../../core/actor.ts";
import { notFound } from "../../core/errors.ts";
import type { PersonId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import type { TenantContext } from "../../storage/context.ts";
import { changeRow } from "../../storage/entity.ts";
import { personEntity } from "./people.queries.ts";
import type { PersonChange } from "./people.schemas.ts";
import type { Person } from "./people.shapes.ts";
import { people } from "./people.tables.ts";
import { checkPerson, requireMember } from "./person-rules.ts";

interface Input {
  personId: PersonId;
  change: PersonChange;
}

/**
 * Changes the given fields of a person. Lifting an instructor's restriction also removes the supervisor.
 *
 * @throws NOT_FOUND the school has no such person
 * @throws VALIDATION_ERROR see `checkPerson`; the account is not a member of the organization
 * @throws CONFLICT another person is linked to the account
 */
export async function updatePerson(context: TenantContext, { personId, change }: Input): Promise<JsonOf<Person>> {
  authorize(context.actor, "people:manage");
  await requireMember(context, change.user_id);

  return context.tenant.write(async (tx) => {
    const [row] = await tx.select().from(people).where(eq(people.id, personId));
    if (row === undefined) throw notFound();
    const unsupervised = change.restricted_instructor === false ? { supervisor_id: null } : {};
    const set = { ...unsupervised, ...change, updated_at: tx.now };
    await checkPerson(tx, { ...row, ...set });
    return changeRow(tx, context, personEntity, { id: personId, action: "person.updated", set });
  });
}
