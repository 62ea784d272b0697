import { desc, eq, getTableColumns, sql } from "drizzle-orm";
import { notFound } from "../../../core/errors.ts";
import { lookUp } from "../../../storage/lookup.ts";
import type { Reader } from "../../../storage/store.ts";
import { type SigningKeyId, signingKeys as table } from "../evidence.tables.ts";
import { type PublicKey, pemOf, thumbprintOf } from "../format/public-key.ts";
import type { SigningKey } from "./keys.schemas.ts";

type TenantReader = Reader<"tenant">;
type KeyRow = typeof table.$inferSelect;

const current = lookUp(getTableColumns(table), sql`from ${table} where ${table.retired_at} is null`);

/** Returns the key that signs; undefined before the first pack. */
export const currentKey = (reader: TenantReader) => current(reader, {});

const byId = lookUp(getTableColumns(table), sql`from ${table} where ${table.id} = ${sql.placeholder("id")}`);

/** @throws NOT_FOUND */
export async function requireKey(reader: TenantReader, id: SigningKeyId): Promise<KeyRow> {
  const row = await byId(reader, { id });
  if (row === undefined) throw notFound();
  return row;
}

/** Returns whether a key is or was the organization's. */
export const hasSigningKey = async (reader: TenantReader, key: PublicKey): Promise<boolean> =>
  (await reader.$count(table, eq(table.public_key, key))) > 0;

const shown = ({ id, public_key, created_at, retired_at }: KeyRow): SigningKey => ({
  id,
  thumbprint: thumbprintOf(public_key),
  public_key: pemOf(public_key),
  created_at,
  retired_at,
});

/** Returns all keys, the current one first. */
export const listKeys = async (reader: TenantReader): Promise<SigningKey[]> =>
  (
    await reader
      .select()
      .from(table)
      .orderBy(desc(sql`${table.retired_at} is null`), desc(table.created_at))
  ).map(shown);

export const signingKeyEntity = {
  kind: "signing_key",
  table,
  read: async (reader: TenantReader, id: SigningKeyId): Promise<SigningKey> => shown(await requireKey(reader, id)),
};
