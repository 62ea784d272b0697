import { asc, eq } from "drizzle-orm";
import type { z } from "zod";
import type { UserId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import type { IdentityList } from "./oauth.schemas.ts";
import { identities } from "./oauth.tables.ts";

/** Lists the linked providers of an account, oldest first, without the subjects there. */
export const listIdentities = (reader: Reader<"control">, userId: UserId): Promise<z.infer<typeof IdentityList>> =>
  reader
    .select({
      provider: identities.provider,
      linked_at: identities.created_at,
      made_account: identities.made_account,
    })
    .from(identities)
    .where(eq(identities.user_id, userId))
    .orderBy(asc(identities.created_at), asc(identities.provider));
