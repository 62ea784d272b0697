import { asc, eq } from "drizzle-orm";
import { notFound } from "../../../core/errors.ts";
import type { UserId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import type { Identity } from "./oauth.schemas.ts";
import { identities } from "./oauth.tables.ts";

/** Returns a linked provider of an account. @throws NOT_FOUND it is not linked */
export async function findIdentity(reader: Reader<"control">, userId: UserId, provider: string): Promise<Identity> {
  const found = (await listIdentities(reader, userId)).find((identity) => identity.provider === provider);
  if (!found) throw notFound();
  return found;
}

/** Lists the linked providers of an account, oldest first, without the subjects there. */
export const listIdentities = (reader: Reader<"control">, userId: UserId): Promise<Identity[]> =>
  reader
    .select({
      provider: identities.provider,
      linked_at: identities.created_at,
      made_account: identities.made_account,
    })
    .from(identities)
    .where(eq(identities.user_id, userId))
    .orderBy(asc(identities.created_at), asc(identities.provider));
