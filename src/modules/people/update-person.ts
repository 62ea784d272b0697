import { changeVerb } from "../../storage/verbs.ts";
import { personEntity } from "./people.queries.ts";
import type { PersonChange } from "./people.schemas.ts";
import { checkPerson, requireMember } from "./person-rules.ts";

/**
 * Changes the given fields of a person. Lifting an instructor's restriction also removes the supervisor.
 *
 * @throws NOT_FOUND the school has no such person
 * @throws VALIDATION_ERROR see `checkPerson`; the account is not a member of the organization
 * @throws CONFLICT another person is linked to the account
 */
export const updatePerson = changeVerb(personEntity, {
  permission: "people:manage",
  before: (context, { change }: { change: PersonChange }) => requireMember(context, change.user_id),
  async set(tx, row, { change }: { change: PersonChange }) {
    const unsupervised = change.restricted_instructor === false ? { supervisor_id: null } : {};
    const set = { ...unsupervised, ...change };
    await checkPerson(tx, { ...row, ...set });
    return set;
  },
});
