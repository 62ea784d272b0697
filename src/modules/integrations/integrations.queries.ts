import { eq, sql } from "drizzle-orm";
import type { ApiKeyId } from "../../core/ids.ts";
import { type PageRequest, pageText, resource } from "../../storage/shape.ts";
import type { Reader } from "../../storage/store.ts";
import { type ApiKey, apiKey } from "./integrations.shapes.ts";
import { apiKeys } from "./integrations.tables.ts";

type TenantReader = Reader<"tenant">;

/** @throws NOT_FOUND */
export const findApiKey = (reader: TenantReader, id: ApiKeyId): Promise<ApiKey> =>
  resource(reader, apiKey, { from: apiKeys, where: eq(apiKeys.id, id) });

/** Newest first: ids begin with their time of birth. JSON text. */
export const listApiKeys = (reader: TenantReader, page: PageRequest) =>
  pageText(reader, apiKey, { ...page, from: apiKeys, orderBy: sql`${apiKeys.id} desc` });
