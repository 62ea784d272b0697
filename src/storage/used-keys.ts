/**
 * Remembers which `Idempotency-Key` a request was carried out with, in the database that the request changed: the key
 * is written in the very transaction that does the work, so that no crash can come between the two.
 */
import { asc, eq, inArray, lte, min, sql } from "drizzle-orm";
import { breathe } from "../core/breathe.ts";
import { hours, type Instant, shift } from "../core/clock.ts";
import type { UserId } from "../core/ids.ts";
import { lookUp } from "./look-up.ts";
import { usedKeys as table } from "./shared.tables.ts";
import type { Reader, Store, Tx } from "./store.ts";

/** For how long a repeat is recognized. */
export const keysKept = hours(24);

/** One request with its key. */
export interface KeyUse {
  /** Names who asked, for what, and with which key. */
  id: string;
  userId: UserId;
  bodyHash: string;
}

export interface KeptAnswer {
  status: number;
  body: string;
}

/** What is known of a key that was used. */
export interface UsedKey {
  bodyHash: string;
  /** Missing where it was not to be kept, or where a crash came before it was. */
  answer?: KeptAnswer;
}

const byId = lookUp(
  { body_hash: table.body_hash, status: table.status, answer: table.answer },
  sql`from ${table} where ${table.id} = ${sql.placeholder("id")} and ${table.used_at} > ${sql.placeholder("after")}`,
);

/** What is known of a key, if it was used here in the last 24 hours. */
export async function findUsedKey(store: Store, id: string, now: Date): Promise<UsedKey | undefined> {
  const row = await store.read((reader) => byId(reader, { id, after: shift(now, -keysKept) }));
  if (row === undefined) return undefined;
  const { body_hash: bodyHash, status, answer } = row;
  return { bodyHash, ...(status !== null && answer !== null && { answer: { status, body: answer } }) };
}

/**
 * Notes in the transaction that does the work that it is done.
 *
 * @returns whether it is this request's to do: another one may have done it since `findUsedKey`, here or on another node
 */
export async function claimKey(tx: Tx, { id, userId, bodyHash }: KeyUse): Promise<boolean> {
  const fresh = { user_id: userId, body_hash: bodyHash, used_at: tx.now, status: null, answer: null };
  const claimed = await tx
    .insert(table)
    .values({ id, ...fresh })
    // A key that has had its time and is not cleared away yet.
    .onConflictDoUpdate({ target: table.id, set: fresh, setWhere: lte(table.used_at, shift(tx.now, -keysKept)) })
    .returning({ id: table.id });
  return claimed.length > 0;
}

export async function keepAnswer(store: Store, id: string, { status, body }: KeptAnswer): Promise<void> {
  await store.write((tx) => tx.update(table).set({ status, answer: body }).where(eq(table.id, id)));
}

/** Frees a key whose request was refused after all. */
export async function releaseKey(store: Store, id: string): Promise<void> {
  await store.write((tx) => tx.delete(table).where(eq(table.id, id)));
}

/** All of it, for the HTTP layer, which names no database. */
export const usedKeys = { find: findUsedKey, claim: claimKey, keepAnswer, release: releaseKey };
export type UsedKeys = typeof usedKeys;

/** So few at a time that nobody waits for the database meanwhile. */
const batch = 500;

/** Deletes the keys that have had their 24 hours, with the answers. @returns how many there were */
export async function removeOldKeys(store: Store, now: Date): Promise<number> {
  const until = shift(now, -keysKept);
  let removed = 0;
  for (;;) {
    const old = await store.read((reader) =>
      reader
        .select({ id: table.id })
        .from(table)
        .where(lte(table.used_at, until))
        .orderBy(asc(table.used_at))
        .limit(batch),
    );
    if (old.length === 0) return removed;
    const ids = old.map(({ id }) => id);
    await store.write((tx) => tx.delete(table).where(inArray(table.id, ids)));
    removed += ids.length;
    await breathe();
  }
}

/** When the oldest key was used; null without any. */
export async function oldestKey(reader: Reader): Promise<Instant | null> {
  const [row] = await reader.select({ at: min(table.used_at) }).from(table);
  return row?.at ?? null;
}
