/** Links an account to a person. The caller has verified that the account belongs to the person. */
import { and, eq, isNull } from "drizzle-orm";
import type { Problem } from "../../core/errors.ts";
import type { PersonId, UserId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { Context } from "../../storage/context.ts";
import { announce, ask } from "../../storage/occasions.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import { ownAffairs, personChanged } from "./people.occasions.ts";
import { isLinkedElsewhere, personEntity } from "./people.queries.ts";
import { formerLinks, type PersonType, people } from "./people.tables.ts";

/** The fields of a person that an invite needs. */
export interface Linkable {
  id: PersonId;
  name: string;
  email: string | null;
  types: PersonType[];
}

export async function findLinkable(reader: Reader<"tenant">, personId: PersonId): Promise<Linkable | undefined> {
  const { id, name, email, types } = people;
  const [row] = await reader.select({ id, name, email, types }).from(people).where(eq(people.id, personId));
  return row;
}

interface Link {
  personId: PersonId;
  /** Undefined while the account does not exist yet. */
  userId: UserId | undefined;
}

/**
 * Why an account can't be linked to a person: a person has one account, and an account has one person. `own_affairs`: it did for the
 * person what nobody does for themself.
 */
export type Obstacle = "no_such_person" | "person_archived" | "person_linked" | "account_linked" | "own_affairs";

/** Returns what prevents the link, or `undefined`. */
export async function obstacleTo(reader: Reader<"tenant">, { personId, userId }: Link): Promise<Obstacle | undefined> {
  const { user_id, status } = people;
  const [person] = await reader.select({ user_id, status }).from(people).where(eq(people.id, personId));
  if (!person) return "no_such_person";
  if (person.user_id !== null && person.user_id !== userId) return "person_linked";
  if (person.status === "archived" && person.user_id === null) return "person_archived";
  if (userId === undefined) return undefined;
  if (await isLinkedElsewhere(reader, { id: personId, user_id: userId })) return "account_linked";
  if (person.user_id === userId) return undefined;
  return (await ownAffairsOf(reader, { personId, userId })) ? "own_affairs" : undefined;
}

/** @throws CONFLICT the account did for the person what nobody does for themself */
export async function refuseOwnAffairs(reader: Reader<"tenant">, link: KnownLink): Promise<void> {
  const refusal = await ownAffairsOf(reader, link);
  if (refusal !== undefined) throw refusal;
}

const ownAffairsOf = async (reader: Reader<"tenant">, link: KnownLink): Promise<Problem | undefined> =>
  (await ask(reader, ownAffairs, link)).find((refusal) => refusal !== undefined);

interface KnownLink extends Link {
  userId: UserId;
}

type Linked = Pick<typeof people.$inferSelect, "id" | "user_id" | "email">;

/** Posting: records the account and the e-mail address of a person before one of them changes. */
export async function rememberLink(tx: Tx<"tenant">, before: Linked, after: Omit<Linked, "id">): Promise<void> {
  const { id, user_id, email } = before;
  if (user_id === after.user_id && email === after.email) return;
  await tx.insert(formerLinks).values({ person_id: id, user_id, email, until: tx.now });
}

/** Records in the audit log that an account was not linked, and why. */
export const auditNotLinked = (
  tx: Tx<"tenant">,
  by: Pick<Context, "actor" | "requestId">,
  { personId, userId }: KnownLink,
  because: Obstacle | "no_member",
): Promise<void> =>
  audit(tx, by, "person.not_linked", {
    subject: { kind: "person", id: personId },
    after: { user_id: userId, because },
  });

/**
 * Links the account. If there is an obstacle by now, it changes nothing and records the reason in the audit log. A
 * second call has no effect.
 */
export async function linkAccount(
  tx: Tx<"tenant">,
  by: Pick<Context, "actor" | "requestId">,
  { personId, userId, invitedBy }: KnownLink & { invitedBy: UserId | null },
): Promise<void> {
  const obstacle = await obstacleTo(tx, { personId, userId });
  if (obstacle) return auditNotLinked(tx, by, { personId, userId }, obstacle);
  const linked = await tx
    .update(people)
    .set({ user_id: userId, linked_by: invitedBy, updated_at: await personEntity.changeTime(tx) })
    .where(and(eq(people.id, personId), isNull(people.user_id)))
    .returning({ email: people.email });
  const [person] = linked;
  if (person === undefined) return;
  const { email } = person;
  await rememberLink(tx, { id: personId, user_id: null, email }, { user_id: userId, email });
  const subject = { kind: "person", id: personId };
  await announce(tx, personChanged, { id: personId });
  await audit(tx, by, "person.linked", { subject, before: { user_id: null }, after: { user_id: userId } });
}
