/** Making an account a person of the records, by whoever has seen to it that it is. */
import { and, eq, isNull, ne } from "drizzle-orm";
import type { PersonId, UserId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { Context } from "../../storage/context.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import { type PersonType, people } from "./people.tables.ts";

/** What an invite must know of a person. */
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
  /** Not known yet for an account that is still to be made. */
  userId: UserId | undefined;
}

/** Why somebody can't be made a person's account: a person has one account, and an account is one person. */
export type Obstacle = "no_such_person" | "person_linked" | "account_linked";

export async function obstacleTo(reader: Reader<"tenant">, { personId, userId }: Link): Promise<Obstacle | undefined> {
  const [person] = await reader.select({ user_id: people.user_id }).from(people).where(eq(people.id, personId));
  if (!person) return "no_such_person";
  if (person.user_id !== null && person.user_id !== userId) return "person_linked";
  if (userId === undefined) return undefined;
  const others = await reader
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.user_id, userId), ne(people.id, personId)));
  return others.length > 0 ? "account_linked" : undefined;
}

interface KnownLink extends Link {
  userId: UserId;
}

/** Leaves a row about a link that was not made, and why. */
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
 * Links the account, unless something has come in between: then the records stay as somebody made them, and the log
 * says why. Doing it twice changes nothing.
 */
export async function linkAccount(
  tx: Tx<"tenant">,
  by: Pick<Context, "actor" | "requestId">,
  { personId, userId }: KnownLink,
): Promise<void> {
  const obstacle = await obstacleTo(tx, { personId, userId });
  if (obstacle) return auditNotLinked(tx, by, { personId, userId }, obstacle);
  const linked = await tx
    .update(people)
    .set({ user_id: userId, updated_at: tx.now })
    .where(and(eq(people.id, personId), isNull(people.user_id)))
    .returning({ id: people.id });
  if (linked.length === 0) return;
  const subject = { kind: "person", id: personId };
  await audit(tx, by, "person.linked", { subject, before: { user_id: null }, after: { user_id: userId } });
}
