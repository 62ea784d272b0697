/**
 * A file that is arriving. A school has one write transaction at a time, so each chunk is written in one of its own: no other
 * write waits for a slow client. Nothing shows the file until it is complete.
 */
import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { ownTurn, yieldToEventLoop } from "../../core/async.ts";
import { inChunks } from "../../core/chunks.ts";
import { type Clock, hours, type Instant, isToCome, shift } from "../../core/clock.ts";
import { badRequest } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { chunkDigest } from "../../storage/content.ts";
import { insertRow } from "../../storage/insert-row.ts";
import { lookUp } from "../../storage/lookup.ts";
import type { Reader, Tenant, Tx } from "../../storage/store.ts";
import { type AttachmentId, attachmentChunks, attachmentUploads as table } from "./attachments.tables.ts";
import { typeOf } from "./file-type.ts";
import { addUsage, checkQuota } from "./usage.ts";

type TenantTx = Tx<"tenant">;

/** A body takes less (`http/file-body.ts`), so an older upload was interrupted by a crash. */
export const abandonedAfter = hours(1);

interface Arriving {
  pieces: AsyncIterable<Uint8Array>;
  declaredBytes: number | undefined;
  quota: number;
}

/** A file whose chunks are stored. */
export interface Received {
  id: AttachmentId;
  media_type: ReturnType<typeof typeOf>;
  size_bytes: number;
  sha256: string;
  chunk_digests: Buffer;
}

/**
 * Stores the chunks of a file. After an error, nothing of it is left.
 *
 * @throws UNSUPPORTED_MEDIA_TYPE by its content; BAD_REQUEST it is empty; CONFLICT it would exceed the quota
 */
export async function receive(
  tenant: Tenant,
  clock: Clock,
  { pieces, declaredBytes = 0, quota }: Arriving,
): Promise<Received> {
  const id = newId<"attachment">(clock);
  await tenant.read((reader) => checkQuota(reader, declaredBytes, quota));
  const hash = createHash("sha256");
  const digests: Buffer[] = [];
  let media_type: Received["media_type"] | undefined;
  let [position, size_bytes] = [0, 0];
  try {
    for await (const data of inChunks(pieces)) {
      media_type ??= typeOf(data);
      hash.update(data);
      digests.push(chunkDigest(data));
      size_bytes += data.length;
      // The mutex of a file lets the next write begin at once: 20 chunks would be one long turn of the event loop.
      await ownTurn();
      const [isFirst, bytes] = [position === 0, Math.max(declaredBytes, size_bytes)];
      await tenant.write(async (tx) => {
        tx.unseen();
        await reserve(tx, id, { isFirst, bytes, quota });
        await insertRow(tx, attachmentChunks, { attachment_id: id, position, data });
      });
      position += 1;
    }
    if (media_type === undefined) throw badRequest("The body is empty. Send the file itself as the body.");
    return { id, media_type, size_bytes, sha256: hash.digest("hex"), chunk_digests: Buffer.concat(digests) };
  } catch (error) {
    await discard(tenant, id);
    throw error;
  }
}

/** Counts an upload against the quota before its bytes are stored. So uploads at the same time can't exceed it together. */
async function reserve(
  tx: TenantTx,
  id: AttachmentId,
  { isFirst, bytes, quota }: { isFirst: boolean; bytes: number; quota: number },
): Promise<void> {
  const reserved = isFirst ? 0 : (await uploadById(tx, { id }))?.reserved_bytes;
  if (reserved === undefined || reserved === null) throw gone();
  if (bytes <= reserved) return;
  await checkQuota(tx, bytes - reserved, quota);
  await addUsage(tx, bytes - reserved);
  await tx
    .insert(table)
    .values({ id, reserved_bytes: bytes, started_at: tx.now })
    .onConflictDoUpdate({ target: table.id, set: { reserved_bytes: bytes } });
}

const uploadById = lookUp(
  { reserved_bytes: table.reserved_bytes },
  sql`from ${table} where ${table.id} = ${sql.placeholder("id")}`,
);

const gone = () => new Error("The chunks of an upload are not stored any more.");

/** Makes the chunks the content of an attachment: they are no longer an upload's. @throws they are not stored any more */
export async function complete(tx: TenantTx, { id, size_bytes }: Received): Promise<void> {
  const [upload] = await tx.delete(table).where(eq(table.id, id)).returning();
  if (upload === undefined) throw gone();
  await addUsage(tx, size_bytes - upload.reserved_bytes);
}

/** Makes the content of an attachment that of an upload that has failed: `discard` deletes it in pieces. */
export const release = (tx: TenantTx, id: AttachmentId, bytes: number) =>
  tx.insert(table).values({ id, reserved_bytes: bytes, started_at: tx.now });

/** Deletes an upload, unless it is complete. If that fails, the job does it later. */
export const discard = (tenant: Tenant, id: AttachmentId): Promise<void> =>
  removeUpload(tenant, id).catch(() => undefined);

/** In several transactions: SQLite overwrites what is deleted, which for 10 MiB takes too long for one. */
async function removeUpload(tenant: Tenant, id: AttachmentId): Promise<void> {
  const isThere = async () => (await tenant.read((reader) => uploadById(reader, { id }))) !== undefined;
  for (; await isThere(); await ownTurn()) await tenant.write((tx) => removeSome(tx, id));
}

async function removeSome(tx: TenantTx, id: AttachmentId): Promise<void> {
  tx.unseen();
  const [removed] = await tx.countEach(removeChunks, [[id]]);
  if (removed !== 0) return;
  const [upload] = await tx.delete(table).where(eq(table.id, id)).returning();
  if (upload !== undefined) await addUsage(tx, -upload.reserved_bytes);
}

/** Deletes the content of an attachment, all in one transaction. */
export async function removeContent(tx: TenantTx, id: AttachmentId, bytes: number): Promise<void> {
  for (let removed: number | undefined; removed !== 0; await yieldToEventLoop())
    [removed] = await tx.countEach(removeChunks, [[id]]);
  await addUsage(tx, -bytes);
}

/** 1 MiB. */
const removeChunks = sql`delete from ${attachmentChunks} where rowid in (
  select rowid from ${attachmentChunks} where ${attachmentChunks.attachment_id} = ${sql.placeholder("id")} limit 4)`;

const oldest = lookUp(
  { id: table.id, started_at: table.started_at },
  sql`from ${table} order by ${table.started_at} limit 1`,
);

/** Returns when the oldest upload has been abandoned, if it is not complete by then; null without uploads. */
export async function nextAbandoned(reader: Reader<"tenant">): Promise<Instant | null> {
  const upload = await oldest(reader, {});
  return upload?.started_at ? shift(upload.started_at, abandonedAfter) : null;
}

/** Deletes uploads that a crash interrupted. @returns how many */
export async function removeAbandoned(tenant: Tenant, now: Date): Promise<number> {
  for (let count = 0; ; count += 1) {
    const upload = await tenant.read((reader) => oldest(reader, {}));
    const hasTime = (since: Instant) => isToCome(shift(since, abandonedAfter), now, abandonedAfter);
    if (upload === undefined || upload.started_at === null || hasTime(upload.started_at)) return count;
    await removeUpload(tenant, upload.id as AttachmentId);
  }
}
