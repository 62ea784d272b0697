/** Single-use tokens of links, sent by mail or passed on by the operator. */
import { and, eq, gt, isNull, max } from "drizzle-orm";
import { hours, type Instant, minutes, shift } from "../../../core/clock.ts";
import { newToken, sha256 } from "../../../core/crypto.ts";
import { conflict, gone, notFound } from "../../../core/errors.ts";
import type { UserId } from "../../../core/ids.ts";
import { users } from "../../../identity/identity.tables.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { emailTokens } from "../accounts.tables.ts";

export type Purpose = (typeof emailTokens.$inferSelect)["purpose"];

export const TOKEN_LIFETIME: Record<Purpose, number> = { verify: hours(24), reset: minutes(30) };

interface NewEmailToken {
  user_id: UserId;
  purpose: Purpose;
  /** The address it is mailed to. Null if it is not mailed and so verifies no address. */
  email: string | null;
}

/** Issues a token. @returns the token, which is stored as a hash only */
export async function issueEmailToken(tx: Tx<"control">, issued: NewEmailToken): Promise<string> {
  const token = newToken();
  const expiresAt = shift(tx.now, TOKEN_LIFETIME[issued.purpose]);
  await tx
    .insert(emailTokens)
    .values({ ...issued, token_hash: sha256(token), created_at: tx.now, expires_at: expiresAt });
  return token;
}

/** Returns when the last token was mailed to the account's address. A rolled-back one does not count. */
export async function lastMailed(
  reader: Reader<"control">,
  purpose: Purpose,
  { id, email }: Pick<typeof users.$inferSelect, "id" | "email">,
): Promise<Instant | undefined> {
  const { user_id, created_at } = emailTokens;
  const toAddress = and(eq(user_id, id), eq(emailTokens.purpose, purpose), eq(emailTokens.email, email));
  const [row] = await reader
    .select({ at: max(created_at) })
    .from(emailTokens)
    .where(toAddress);
  return row?.at ?? undefined;
}

interface OpenToken {
  account: typeof users.$inferSelect;
  /** Whether it was mailed: its holder then has access to the account's mailbox. */
  wasMailed: boolean;
}

/**
 * Returns the account of a token that is still valid.
 *
 * @throws NOT_FOUND the token is unknown for this purpose; a malformed one included
 * @throws CONFLICT  it was already used
 * @throws GONE      it has expired, another change made it void, or the account has a new address since
 */
export async function requireOpenToken(
  reader: Reader<"control">,
  purpose: Purpose,
  token: string,
  now: Instant,
): Promise<OpenToken> {
  const [row] = await reader
    .select({ token: emailTokens, account: users })
    .from(emailTokens)
    .innerJoin(users, eq(users.id, emailTokens.user_id))
    .where(and(eq(emailTokens.token_hash, sha256(token)), eq(emailTokens.purpose, purpose)));
  if (!row) throw notFound("There is no such link.");
  const { email, used_at, expires_at } = row.token;
  if (used_at !== null) throw conflict("link_used", "The link was already used.");
  if (expires_at <= now) {
    if (isVoid(row.token)) throw gone("link_void", "The link is no longer valid.");
    throw gone("link_expired", "The link has expired.");
  }
  if (email !== null && email !== row.account.email)
    throw gone("link_void", "The link was sent to an address that the account no longer has.");
  return { account: row.account, wasMailed: email !== null };
}

/** Whether `expireResets` ended it before its time. */
const isVoid = ({ purpose, created_at, expires_at }: typeof emailTokens.$inferSelect): boolean =>
  expires_at < shift(created_at, TOKEN_LIFETIME[purpose]);

/** Marks a token as used. Call it in the transaction that has checked it. */
export async function useToken(tx: Tx<"control">, token: string): Promise<void> {
  await tx
    .update(emailTokens)
    .set({ used_at: tx.now })
    .where(eq(emailTokens.token_hash, sha256(token)));
}

/** Makes the open reset tokens of an account void. */
export async function expireResets(tx: Tx<"control">, userId: UserId): Promise<void> {
  await tx
    .update(emailTokens)
    .set({ expires_at: tx.now })
    .where(
      and(
        eq(emailTokens.user_id, userId),
        eq(emailTokens.purpose, "reset"),
        isNull(emailTokens.used_at),
        gt(emailTokens.expires_at, tx.now),
      ),
    );
}
