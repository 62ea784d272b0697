/** Recovery codes, for an account whose authenticator is lost: ten codes, each valid once. */
import { and, eq, isNull, lte, ne, or } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import { randomBytes, sha256 } from "../../../core/crypto.ts";
import type { SessionId, UserId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { recoveryCodes } from "./mfa.tables.ts";
import { toBase32 } from "./totp.ts";

const COUNT = 10;
/** 120 bits, 24 characters of base32: enough that a fast hash is safe. */
const BYTES = 15;

/** Returns new codes as the user sees them: `ABCD-EFGH-…`. */
export const newRecoveryCodes = (): Promise<string[]> =>
  Promise.all(
    Array.from({ length: COUNT }, async () => ((await toBase32(randomBytes(BYTES))).match(/.{4}/g) ?? []).join("-")),
  );

const hashOf = (code: string) => sha256(code.replaceAll(/[ -]/g, "").toUpperCase());

interface NewCodes {
  userId: UserId;
  codes: readonly string[];
  /** The session that creates them without a step-up. Null after a step-up, or if the second factor is new. */
  sessionId: SessionId | null;
}

/** Replaces every code of an account, used or not. */
export async function replaceRecoveryCodes(tx: Tx<"control">, { userId, codes, sessionId }: NewCodes): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  const rows = codes.map((code) => ({
    code_hash: hashOf(code),
    user_id: userId,
    session_id: sessionId,
    created_at: tx.now,
  }));
  await tx.insert(recoveryCodes).values(rows);
}

export async function deleteRecoveryCodes(tx: Tx<"control">, userId: UserId): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.user_id, userId));
}

/** A session to step up, with the time of its sign-in. A handed-on session has the time of its original session. */
export interface StepUpSession {
  id: SessionId;
  auth_time: Instant;
}

interface GivenCode {
  userId: UserId;
  code: string;
  /** The session to step up, if any. */
  session?: StepUpSession | undefined;
}

/**
 * Marks a code as used, if it is an unused code of the account. Ignores case, spaces and hyphens. Rejects a code that the
 * session created without a step-up, and one that another session created so after this session's sign-in, since that
 * session may have handed this one on. Otherwise a stolen token could create its own second factor.
 */
export async function useRecoveryCode(tx: Tx<"control">, { userId, code, session }: GivenCode): Promise<boolean> {
  const mayStepUp =
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
        mayStepUp,
      ),
    )
    .returning({ code_hash: recoveryCodes.code_hash });
  return taken.length > 0;
}
