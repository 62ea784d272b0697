import type { Instant } from "../../core/clock.ts";
import type { PersonId } from "../../core/ids.ts";
import { announce } from "../../storage/occasions.ts";
import type { Tx } from "../../storage/store.ts";
import { addVerb } from "../../storage/verbs.ts";
import { personAdded } from "./people.occasions.ts";
import { personEntity } from "./people.queries.ts";
import type { NewPerson } from "./people.schemas.ts";
import { checkPerson, type PersonRow, requireMember } from "./person-rules.ts";

/**
 * Adds a person to the school, with or without an account.
 *
 * @throws VALIDATION_ERROR see `checkPerson`; the account is not a member of the organization
 * @throws CONFLICT another person is linked to the account
 */
export const createPerson = addVerb(personEntity, {
  permission: "people:manage",
  before: (context, { user_id }: NewPerson) => requireMember(context, user_id),
  row: newPerson,
  also: (tx, id) => announce(tx, personAdded, { id }),
});

interface Fresh {
  id: PersonId;
  created_at: Instant;
  updated_at: Instant;
}

/** Returns the row of a new person. @throws VALIDATION_ERROR, CONFLICT see `checkPerson` */
export async function newPerson(tx: Tx<"tenant">, fresh: Fresh, input: NewPerson): Promise<PersonRow> {
  const unset = { status: "active", linked_by: null, erased_at: null } as const;
  const row: PersonRow = { ...fresh, ...input, ...unset, types_ever: input.types };
  await checkPerson(tx, row);
  return row;
}
