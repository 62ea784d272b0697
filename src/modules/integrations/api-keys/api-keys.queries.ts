import { eq, sql } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import { notFound, wrongStatus } from "../../../core/errors.ts";
import type { ApiKeyId } from "../../../core/ids.ts";
import { lookUp } from "../../../storage/lookup.ts";
import { descending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { resource } from "../../../storage/shape.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { type ApiKey, apiKey, keysAsOf } from "./api-keys.shapes.ts";
import { apiKeys } from "./api-keys.tables.ts";

type TenantReader = Reader<"tenant">;

/** @param now decides the status. @throws NOT_FOUND */
export const findApiKey = (reader: TenantReader, id: ApiKeyId, now: Instant): Promise<ApiKey> =>
  resource(reader, apiKey, { from: keysAsOf(now), where: eq(apiKeys.id, id) });

export const apiKeyEntity = (now: Instant) => ({
  kind: "api_key",
  table: apiKeys,
  read: (reader: TenantReader, id: ApiKeyId) => findApiKey(reader, id, now),
});

/** @throws NOT_FOUND; CONFLICT it is revoked or expired */
export async function requireValidApiKey(tx: Tx<"tenant">, id: ApiKeyId): Promise<ApiKey> {
  const key = await findApiKey(tx, id, tx.now);
  if (key.status === "revoked" || key.status === "expired") throw wrongStatus("API key", key.status);
  return key;
}

/** @throws NOT_FOUND */
export async function tokenHashOf(reader: TenantReader, id: ApiKeyId): Promise<string> {
  const row = await tokenHash(reader, { id });
  if (row === undefined) throw notFound();
  return row.token_hash;
}

const tokenHash = lookUp(
  { token_hash: apiKeys.token_hash },
  sql`from ${apiKeys} where ${apiKeys.id} = ${sql.placeholder("id")}`,
);

const newestFirst = descending(apiKey, "id");

/** Returns JSON text, newest first: ids begin with the time of creation. */
export const listApiKeys = (reader: TenantReader, page: PageRequest, now: Instant) =>
  pageBody(reader, apiKey, { ...page, from: keysAsOf(now), orderBy: newestFirst });
