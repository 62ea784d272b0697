import { sql } from "drizzle-orm";
import { conflict } from "../../core/errors.ts";
import { lookUp } from "../../storage/lookup.ts";
import type { Reader, Tx } from "../../storage/store.ts";
import { attachmentUsage as table } from "./attachments.tables.ts";

const row = lookUp({ bytes: table.bytes }, sql`from ${table}`);

/** Returns the bytes of all attachments and uploads of the organization. */
export const usedBytes = async (reader: Reader<"tenant">): Promise<number> => (await row(reader, {}))?.bytes ?? 0;

/** @throws CONFLICT so many more bytes would exceed the quota */
export async function checkQuota(reader: Reader<"tenant">, more: number, quota: number): Promise<void> {
  if ((await usedBytes(reader)) + more > quota)
    throw conflict(
      "quota_exceeded",
      `The organization's attachments would exceed its quota of ${Math.floor(quota / (1024 * 1024))} MiB.`,
      { max_bytes: quota },
    );
}

/** @param more negative for bytes that are deleted */
export async function addUsage(tx: Tx<"tenant">, more: number): Promise<void> {
  await tx
    .insert(table)
    .values({ bytes: more })
    .onConflictDoUpdate({ target: table.only, set: { bytes: sql`${table.bytes} + ${more}` } });
}
