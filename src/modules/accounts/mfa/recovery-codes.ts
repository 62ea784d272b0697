/** What somebody keeps on paper for the day their authenticator is lost: ten codes, each good once. */
import { and, eq, isNull, lte, ne, or } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import { randomBytes, sha256 } from "../../../core/crypto.ts";
import type { SessionId, UserId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { recoveryCodes } from "./mfa.tables.ts";
import { toBase32 } from "./totp.ts";

const COUNT = 10;
/** 120 bits: 24 characters of base32, so that a fast hash keeps them. */
const BYTES = 15;

/** New codes as they are shown, this one time: `ABCD-EFGH-…`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: COUNT }, () => (toBase32(randomBytes(BYTES)).match(/.{4}/g) ?? []).join("-"));

const hashOf = (code: string) => sha256(code.replaceAll(/[ -]/g, "").toUpperCase());

interface NewCodes {
  userId: UserId;
  codes: readonly string[];
  /** The session that has them made and had not stepped up; null when it had, or the second factor is new. */
  sessionId: SessionId | null;
}

/** Burns every code an account has, used or not, and puts these in their place. */
export async function replaceRecoveryCodes(tx: Tx<"control">, { userId, codes, sessionId }: NewCodes): Promise<void> {
  await burnRecoveryCodes(tx, userId);
  const rows = codes.map((code) => ({
    code_hash: hashOf(code),
    user_id: userId,
    session_id: sessionId,
    created_at: tx.now,
  }));
  await tx.insert(recoveryCodes).values(rows);
}

export async function burnRecoveryCodes(tx: Tx<"control">, userId: UserId): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.user_id, userId));
}

/** A session, by when whoever is in it has signed in: one that was handed on has that of the one it comes from. */
export interface SteppingSession {
  id: SessionId;
  auth_time: Instant;
}

interface Shown {
  userId: UserId;
  code: string;
  /** The session that is to be raised by it, if one is. */
  session?: SteppingSession | undefined;
}

/**
 * Uses a code up, if it is one of the account's and unused, whatever its case, spaces and hyphens. A session is not
 * raised by codes that it had made itself without a step-up, nor is one whose sign-in is older than they are, since it
 * may have been handed on by that one: a stolen token would otherwise make its own second factor.
 */
export async function takeRecoveryCode(tx: Tx<"control">, { userId, code, session }: Shown): Promise<boolean> {
  const mayRaise =
    session &&
    or(
      isNull(recoveryCodes.session_id),
      and(ne(recoveryCodes.session_id, session.id), lte(recoveryCodes.created_at, session.auth_time)),
    );
  const taken = await tx
    .update(recoveryCodes)
    .set({ used_at: tx.now })
    .where(
      and(
        eq(recoveryCodes.code_hash, hashOf(code)),
        eq(recoveryCodes.user_id, userId),
        isNull(recoveryCodes.used_at),
        mayRaise,
      ),
    )
    .returning({ code_hash: recoveryCodes.code_hash });
  return taken.length > 0;
}
