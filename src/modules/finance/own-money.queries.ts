/** Members without `finance:read` see their own money only. */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { authorize, type MemberActor, permits } from "../../core/actor.ts";
import { people } from "../people/people.tables.ts";

/** Returns no filter for actors with `finance:read`; otherwise one for the person linked to the account. @throws FORBIDDEN */
export function visibleTo(actor: MemberActor, personId: SQLiteColumn): SQL | undefined {
  if (permits(actor, "finance:read")) return undefined;
  authorize(actor, "finance:own");
  return sql`${personId} = (select ${people.id} from ${people} where ${people.user_id} = ${actor.userId})`;
}
