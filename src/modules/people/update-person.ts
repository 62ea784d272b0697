import { eq } from "drizzle-orm";
import { authorize } from "../../core/actor.ts";
import { notFound } from "../../core/errors.ts";
import type { PersonId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { TenantContext } from "../../storage/context.ts";
import { readPerson } from "./people.queries.ts";
import type { PersonChange } from "./people.schemas.ts";
import type { Person } from "./people.shapes.ts";
import { people } from "./people.tables.ts";
import { checkPerson, type PersonRow, requireMember } from "./person-rules.ts";

interface Input {
  personId: PersonId;
  change: PersonChange;
}

/**
 * Changes what is given of a person. Lifting an instructor's restriction ends their supervision as well.
 *
 * @throws NOT_FOUND no such person here
 * @throws VALIDATION_ERROR see `checkPerson`; the account is no member here
 * @throws CONFLICT another person is linked to the account
 */
export async function updatePerson(context: TenantContext, { personId, change }: Input): Promise<Person> {
  authorize(context.actor, "people:manage");
  await requireMember(context, change.user_id);

  return context.tenant.write(async (tx) => {
    const [row] = await tx.select().from(people).where(eq(people.id, personId));
    if (row === undefined) throw notFound();
    const next = { ...changed(row, change), updated_at: tx.now };
    await checkPerson(tx, next);

    const before = await readPerson(tx, personId);
    await tx.update(people).set(next).where(eq(people.id, personId));
    const after = await readPerson(tx, personId);
    await audit(tx, context, "person.updated", { subject: { kind: "person", id: personId }, before, after });
    return after;
  });
}

/** `row` with the given changes. What is not given stays; null empties. */
function changed(row: PersonRow, change: PersonChange): PersonRow {
  const pick = <T>(given: T | undefined, kept: T): T => (given === undefined ? kept : given);
  const supervisorId = change.restricted_instructor === false ? null : row.supervisor_id;
  return {
    ...row,
    name: pick(change.name, row.name),
    email: pick(change.email, row.email),
    types: pick(change.types, row.types),
    date_of_birth: pick(change.date_of_birth, row.date_of_birth),
    licence_number: pick(change.licence_number, row.licence_number),
    ratings: pick(change.ratings, row.ratings),
    user_id: pick(change.user_id, row.user_id),
    restricted_instructor: pick(change.restricted_instructor, row.restricted_instructor),
    supervisor_id: pick(change.supervisor_id, supervisorId),
  };
}
