/** Students see their own training only. */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Actor, authorize, type MemberActor, permits, type UserActor } from "../../core/actor.ts";
import { forbidden } from "../../core/errors.ts";
import type { PersonId } from "../../core/ids.ts";
import { lookUp } from "../../storage/lookup.ts";
import type { Reader } from "../../storage/store.ts";
import { isOrWas, linkTo } from "../people/identity.queries.ts";
import { people } from "../people/people.tables.ts";

/** Returns no filter for actors with `training:read`; otherwise one for the person linked to the account. @throws FORBIDDEN */
export function visibleTo(actor: MemberActor, studentId: SQLiteColumn): SQL | undefined {
  if (permits(actor, "training:read")) return undefined;
  authorize(actor, "training:read_own");
  return sql`${studentId} = (select ${people.id} from ${people} where ${people.user_id} = ${actor.userId})`;
}

/** @throws FORBIDDEN the caller is the student, or ever was */
export async function requireOther(reader: Reader<"tenant">, actor: Actor, student: PersonId): Promise<void> {
  if (actor.kind === "user" && (await isOrWas(reader, actor, student)))
    throw forbidden("own_training", "This is your own training. Another member must do this.");
}

/** Returns the person of the actor's account. */
export async function personOf(
  reader: Reader<"tenant">,
  { userId }: Pick<UserActor, "userId">,
): Promise<PersonId | undefined> {
  return (await linked(reader, { userId }))?.id;
}

const linked = lookUp({ id: people.id }, sql`from ${people} where ${people.user_id} = ${sql.placeholder("userId")}`);

/** Returns the person whom the actor acts as: not one whom the account has linked to itself. */
export async function actingPerson(reader: Reader<"tenant">, actor: UserActor): Promise<PersonId | undefined> {
  const id = await personOf(reader, actor);
  return id !== undefined && (await linkTo(reader, actor, id)) === "confirmed" ? id : undefined;
}
