import { and, eq } from "drizzle-orm";
import type { UserId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { identities } from "./oauth.tables.ts";

/**
 * Unlinks providers from an account: all, or those linked later by a signed-in session, which may have been stolen. The
 * provider that the account was created through stays linked in that case.
 *
 * @returns the names of the unlinked providers
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
