/** What somebody keeps on paper for the day their authenticator is lost: ten codes, each good once. */
import { and, eq, isNull } from "drizzle-orm";
import { randomBytes, sha256 } from "../../../core/crypto.ts";
import type { UserId } from "../../../core/ids.ts";
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

/** Burns every code an account has, used or not, and puts these in their place. */
export async function replaceRecoveryCodes(tx: Tx<"control">, userId: UserId, codes: readonly string[]): Promise<void> {
  await burnRecoveryCodes(tx, userId);
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ codeHash: hashOf(code), userId, createdAt: tx.now })));
}

export async function burnRecoveryCodes(tx: Tx<"control">, userId: UserId): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

/** Uses a code up, if it is one of the account's and unused, whatever its case, spaces and hyphens. */
export async function takeRecoveryCode(tx: Tx<"control">, userId: UserId, code: string): Promise<boolean> {
  const taken = await tx
    .update(recoveryCodes)
    .set({ usedAt: tx.now })
    .where(
      and(eq(recoveryCodes.codeHash, hashOf(code)), eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)),
    )
    .returning({ codeHash: recoveryCodes.codeHash });
  return taken.length > 0;
}
