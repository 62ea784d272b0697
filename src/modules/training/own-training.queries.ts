/** Students see their own training only. */
import { eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { authorize, type MemberActor, permits } from "../../core/actor.ts";
import type { PersonId } from "../../core/ids.ts";
import type { Reader } from "../../storage/store.ts";
import { people } from "../people/people.tables.ts";

/** Returns no filter for actors with `training:read`; otherwise one for the person linked to the account. @throws FORBIDDEN */
export function visibleTo(actor: MemberActor, studentId: SQLiteColumn): SQL | undefined {
  if (permits(actor, "training:read")) return undefined;
  authorize(actor, "training:read_own");
  return sql`${studentId} = (select ${people.id} from ${people} where ${people.user_id} = ${actor.userId})`;
}

/** Returns the person of the actor's account. */
export async function personOf(reader: Reader<"tenant">, { userId }: MemberActor): Promise<PersonId | undefined> {
  const [row] = await reader.select({ id: people.id }).from(people).where(eq(people.user_id, userId));
  return row?.id;
}
