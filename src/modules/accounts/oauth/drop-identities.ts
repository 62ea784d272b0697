import { and, eq } from "drizzle-orm";
import type { UserId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { identities } from "./oauth.tables.ts";

/**
 * Takes the accounts at providers from an account: all, or those that were linked to it later, by somebody who was
 * signed in, so perhaps by a thief. The one that made it stays then, as the way in that it always had.
 *
 * @returns the providers' names
 */
export async function dropIdentities(
  tx: Tx<"control">,
  userId: UserId,
  which: "all" | "linked_later",
): Promise<string[]> {
  const later = which === "linked_later" ? eq(identities.made_account, false) : undefined;
  const dropped = await tx
    .delete(identities)
    .where(and(eq(identities.user_id, userId), later))
    .returning({ provider: identities.provider });
  return dropped.map(({ provider }) => provider);
}
