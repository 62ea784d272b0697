import { eq } from "drizzle-orm";
import type { SessionId, UserId } from "../../../core/ids.ts";
import { users } from "../../../identity/identity.tables.ts";
import type { Tx } from "../../../storage/store.ts";
import { expireResets } from "../email/email-tokens.ts";
import { endSessionsOf } from "../sessions/end-sessions-of.ts";

interface Replacement {
  userId: UserId;
  passwordHash: string;
  /** The session that stays open. */
  except?: SessionId;
}

/** Replaces the password of an account and ends its sessions. @returns the ended sessions */
export async function replacePassword(
  tx: Tx<"control">,
  { userId, passwordHash, except }: Replacement,
): Promise<SessionId[]> {
  await tx.update(users).set({ password_hash: passwordHash }).where(eq(users.id, userId));
  await expireResets(tx, userId);
  return endSessionsOf(tx, userId, except === undefined ? {} : { except });
}
