/** Tokens that go to somebody by mail, or through the operator, and come back once. */
import { and, eq, gt, isNull } from "drizzle-orm";
import { hours, type Instant, minutes, shift } from "../../../core/clock.ts";
import { newToken, sha256 } from "../../../core/crypto.ts";
import { conflict, gone, notFound } from "../../../core/errors.ts";
import type { UserId } from "../../../core/ids.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { emailTokens, users } from "../accounts.tables.ts";

export type Purpose = (typeof emailTokens.$inferSelect)["purpose"];

export const TOKEN_LIFETIME: Record<Purpose, number> = { verify: hours(24), reset: minutes(30) };

interface NewEmailToken {
  user_id: UserId;
  purpose: Purpose;
  /** The address it is sent to; null when it does not travel by mail, and so proves none. */
  email: string | null;
}

/** Makes a token. @returns it, this once: only its hash is kept */
export async function issueEmailToken(tx: Tx<"control">, issued: NewEmailToken): Promise<string> {
  const token = newToken();
  const expiresAt = shift(tx.now, TOKEN_LIFETIME[issued.purpose]);
  await tx
    .insert(emailTokens)
    .values({ ...issued, token_hash: sha256(token), created_at: tx.now, expires_at: expiresAt });
  return token;
}

interface OpenToken {
  account: typeof users.$inferSelect;
  /** Whether it travelled by mail: whoever shows it then holds the account's mailbox. */
  provesAddress: boolean;
}

/**
 * What a token that can still be used stands for.
 *
 * @throws NOT_FOUND no token of this purpose is like it, whatever its form
 * @throws CONFLICT  it has been used
 * @throws GONE      its time is over, by itself or by another's use; or the account has left the address it went to
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
  const { email, used_at: usedAt, expires_at: expiresAt } = row.token;
  if (usedAt !== null) throw conflict("link_used", "The link was already used.");
  if (expiresAt <= now) {
    if (isVoid(row.token)) throw gone("link_void", "The link is no longer valid.");
    throw gone("link_expired", "The link has expired.");
  }
  if (email !== null && email !== row.account.email)
    throw gone("link_void", "The link was sent to an address that the account no longer has.");
  return { account: row.account, provesAddress: email !== null };
}

/** Whether its time was cut short (`expireResets`). */
const isVoid = ({ purpose, created_at: createdAt, expires_at: expiresAt }: typeof emailTokens.$inferSelect): boolean =>
  expiresAt < shift(createdAt, TOKEN_LIFETIME[purpose]);

/** Uses a token up. To be called in the transaction that has found it open. */
export async function useToken(tx: Tx<"control">, token: string): Promise<void> {
  await tx
    .update(emailTokens)
    .set({ used_at: tx.now })
    .where(eq(emailTokens.token_hash, sha256(token)));
}

/** Ends whatever resets of an account are still open. */
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
