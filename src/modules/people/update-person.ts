import { type Actor, userIdOf } from "../../core/actor.ts";
import { announce } from "../../storage/occasions.ts";
import type { Tx } from "../../storage/store.ts";
import { changeVerb } from "../../storage/verbs.ts";
import { refuseOwnAffairs, rememberLink } from "./link-account.ts";
import { personChanged, personRenamed } from "./people.occasions.ts";
import { personEntity } from "./people.queries.ts";
import type { PersonChange } from "./people.schemas.ts";
import type { PersonStatus } from "./people.tables.ts";
import { checkPerson, checkStatus, type PersonRow, requireMember } from "./person-rules.ts";

/**
 * Changes the given fields of a person, archives them or undoes that. Lifting an instructor's restriction also removes the supervisor.
 *
 * @throws NOT_FOUND the school has no such person
 * @throws VALIDATION_ERROR see `checkPerson`; the account is not a member of the organization
 * @throws CONFLICT another person is linked to the account; it did for the person what nobody does for themself; see `checkStatus`
 */
export const updatePerson = changeVerb(personEntity, {
  permission: "people:manage",
  action: ({ status }, { change }: { change: PersonChange }) =>
    change.status === undefined || change.status === status ? "updated" : moves[change.status],
  before: (context, { change }: { change: PersonChange }) => requireMember(context, change.user_id),
  set: (tx, row, { change }: { change: PersonChange }, actor) => changedPerson(tx, row, change, actor),
  also: (tx, id) => announce(tx, personChanged, { id }),
});

/** Checks a change, and returns the columns to set. @throws VALIDATION_ERROR, CONFLICT see `checkPerson`, `checkStatus` */
export async function changedPerson(
  tx: Tx<"tenant">,
  row: PersonRow,
  change: PersonChange,
  actor: Actor,
): Promise<Partial<PersonRow>> {
  await checkStatus(tx, row, change);
  const unsupervised = change.restricted_instructor === false ? { supervisor_id: null } : {};
  const types_ever = [...new Set([...row.types_ever, ...(change.types ?? [])])];
  const set = { ...unsupervised, ...change, types_ever };
  const changed = { ...row, ...set };
  await checkPerson(tx, changed);
  const { user_id: userId } = changed;
  if (userId !== null && userId !== row.user_id) await refuseOwnAffairs(tx, { personId: row.id, userId });
  await rememberLink(tx, row, changed);
  if (changed.name !== row.name) await announce(tx, personRenamed, { id: row.id });
  return { ...set, ...(changed.user_id !== row.user_id && { linked_by: userIdOf(actor) }) };
}

/** The action in the audit log of a change to the status. */
const moves: Record<PersonStatus, string> = { active: "restored", archived: "archived" };
