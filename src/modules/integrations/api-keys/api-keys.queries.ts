import { eq } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import type { ApiKeyId } from "../../../core/ids.ts";
import { descending, type PageRequest, pageText } from "../../../storage/page.ts";
import { resource } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { type ApiKey, apiKey, keysAsOf } from "./api-keys.shapes.ts";
import { apiKeys } from "./api-keys.tables.ts";

type TenantReader = Reader<"tenant">;

/** @param now its status is a matter of time. @throws NOT_FOUND */
export const findApiKey = (reader: TenantReader, id: ApiKeyId, now: Instant): Promise<ApiKey> =>
  resource(reader, apiKey, { from: keysAsOf(now), where: eq(apiKeys.id, id) });

const newestFirst = descending(apiKey, "id");

/** Newest first: ids begin with their time of birth. JSON text. */
export const listApiKeys = (reader: TenantReader, page: PageRequest, now: Instant) =>
  pageText(reader, apiKey, { ...page, from: keysAsOf(now), orderBy: newestFirst });
