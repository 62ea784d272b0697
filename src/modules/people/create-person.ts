import { addVerb } from "../../storage/verbs.ts";
import { evaluatePerson } from "../compliance/evaluations/evaluate.ts";
import { personChangeTime, personEntity } from "./people.queries.ts";
import type { NewPerson } from "./people.schemas.ts";
import { checkPerson, requireMember } from "./person-rules.ts";

/**
 * Adds a person to the school, with or without an account.
 *
 * @throws VALIDATION_ERROR see `checkPerson`; the account is not a member of the organization
 * @throws CONFLICT another person is linked to the account
 */
export const createPerson = addVerb(personEntity, {
  permission: "people:manage",
  before: (context, { user_id }: NewPerson) => requireMember(context, user_id),
  async row(tx, fresh, input: NewPerson) {
    const row = { ...fresh, ...input, status: "active" as const, updated_at: await personChangeTime(tx) };
    await checkPerson(tx, row);
    return row;
  },
  also: evaluatePerson,
});
