/**
 * Records the `Idempotency-Key` of each request that was carried out. The key is in the database that the request changed,
 * and is written in the same transaction, so that a crash leaves both or neither.
 */
import { asc, eq, inArray, lte, min, sql } from "drizzle-orm";
import { hours, type Instant, shift } from "../core/clock.ts";
import type { Permission } from "../core/permissions.ts";
import { inBatches } from "./in-batches.ts";
import { lookUp } from "./lookup.ts";
import { usedKeys as table } from "./shared.tables.ts";
import type { Reader, Store, Tx } from "./store.ts";

/** The time for which a repeat is recognized. */
export const keyLifetime = hours(24);

/** One request with its key. */
export interface KeyUse {
  /** Identifies the caller, the route and the key. */
  id: string;
  bodyHash: string;
}

export interface StoredResponse {
  status: number;
  body: string;
  /** The permissions that the request used. A repeat needs them too. */
  permissions: readonly Permission[];
  /** The path of what was created. */
  location?: string;
}

/** The record of a key that was used. */
export interface UsedKey {
  bodyHash: string;
  usedAt: Instant;
  /** Missing if it has a secret, or if a crash came before it was stored. */
  response?: StoredResponse;
}

const byId = lookUp(
  {
    body_hash: table.body_hash,
    used_at: table.used_at,
    status: table.status,
    answer: table.answer,
    permissions: table.permissions,
    location: table.location,
  },
  sql`from ${table} where ${table.id} = ${sql.placeholder("id")} and ${table.used_at} > ${sql.placeholder("after")}`,
);

/** Returns the record of a key that was used in this database in the last 24 hours. */
export async function findUsedKey(store: Store, id: string, now: Date): Promise<UsedKey | undefined> {
  const row = await store.read((reader) => byId(reader, { id, after: shift(now, -keyLifetime) }));
  if (row === undefined) return undefined;
  const { body_hash: bodyHash, used_at: usedAt, status, answer: body, permissions, location } = row;
  if (status === null || body === null || permissions === null) return { bodyHash, usedAt };
  return { bodyHash, usedAt, response: { status, body, permissions, ...(location !== null && { location }) } };
}

/**
 * Records the key in the transaction that does the work.
 *
 * @returns false when another request has recorded it since `findUsedKey`, in this process or on another node
 */
export async function claimKey(tx: Tx, { id, bodyHash }: KeyUse): Promise<boolean> {
  const fresh = {
    body_hash: bodyHash,
    used_at: tx.now,
    status: null,
    answer: null,
    permissions: null,
    location: null,
  };
  const claimed = await tx
    .insert(table)
    .values({ id, ...fresh })
    // An expired key that is not deleted yet.
    .onConflictDoUpdate({ target: table.id, set: fresh, setWhere: lte(table.used_at, shift(tx.now, -keyLifetime)) })
    .returning({ id: table.id });
  return claimed.length > 0;
}

export async function storeResponse(store: Store, id: string, response: StoredResponse): Promise<void> {
  const { status, body: answer, permissions, location = null } = response;
  await store.write((tx) => tx.update(table).set({ status, answer, permissions, location }).where(eq(table.id, id)));
}

/** Releases the key of a request that was refused after all. */
export async function releaseKey(store: Store, id: string): Promise<void> {
  await store.write((tx) => tx.delete(table).where(eq(table.id, id)));
}

/** These functions for the HTTP layer, which does not import storage. */
export const usedKeys = { find: findUsedKey, claim: claimKey, storeResponse, release: releaseKey };
export type UsedKeys = typeof usedKeys;

/** Rows per transaction, few enough that other writes do not wait. */
const batch = 100;

/** Deletes keys older than 24 hours and their responses. @returns the number of keys */
export async function removeOldKeys(store: Store, now: Date): Promise<number> {
  const until = shift(now, -keyLifetime);
  return inBatches(store, {
    next: (reader) =>
      reader
        .select({ id: table.id })
        .from(table)
        .where(lte(table.used_at, until))
        .orderBy(asc(table.used_at))
        .limit(batch),
    async work(tx, old) {
      const ids = old.map(({ id }) => id);
      await tx.delete(table).where(inArray(table.id, ids));
      return ids.length;
    },
  });
}

/** Returns when the oldest key was used; null without a key. */
export async function oldestKey(reader: Reader): Promise<Instant | null> {
  const [row] = await reader.select({ at: min(table.used_at) }).from(table);
  return row?.at ?? null;
}
