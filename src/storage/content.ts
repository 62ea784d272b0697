/**
 * Files in a database. Their content is in chunks, which are written and read one at a time, and each file's row has the
 * digests of its chunks. SQLite has no checksums: without them, a bit that the disk has lost would be served as good.
 */
import { createHash } from "node:crypto";
import { ownTurn } from "../core/async.ts";
import { contentDamaged } from "../core/errors.ts";
import type { Reader, Tenant } from "./store.ts";

/** Of SHA-256: 0.15 ms for a chunk of 256 KiB. */
const digestBytes = 32;

/** Returns the number of chunks that have these digests. */
export const chunksOf = (digests: Buffer): number => digests.length / digestBytes;

export const chunkDigest = (chunk: Uint8Array): Buffer => createHash("sha256").update(chunk).digest();

/** Returns whether this is the chunk at the position, and of a last chunk, that no other was expected. */
export function isExpected(
  digests: Buffer,
  chunk: Uint8Array,
  { position, isLast }: { position: number; isLast: boolean },
) {
  const end = (position + 1) * digestBytes;
  const isAtEnd = end === digests.length;
  return isAtEnd === isLast && chunkDigest(chunk).equals(digests.subarray(end - digestBytes, end));
}

interface Stored {
  bytes: number;
  /** The digests of its chunks, one after the other; null for a file of an older version that was not scrubbed yet. */
  digests: Buffer | null;
  chunk(reader: Reader<"tenant">, position: number): Promise<{ data: Buffer } | undefined>;
  /** Whether the file was not deleted meanwhile. */
  exists(reader: Reader<"tenant">): Promise<boolean>;
}

/**
 * Reads a file, one chunk at a time.
 *
 * @throws UNAVAILABLE a chunk is damaged: none of its bytes are returned
 * @throws the file was deleted meanwhile
 */
export async function* storedContent(
  tenant: Pick<Tenant, "read">,
  { bytes, digests, chunk, exists }: Stored,
): AsyncGenerator<Uint8Array> {
  for (let [position, read] = [0, 0]; read < bytes; position += 1) {
    await ownTurn();
    const data = (await tenant.read((reader) => chunk(reader, position)))?.data;
    if (data === undefined && !(await tenant.read(exists))) throw new Error("The file was deleted while it was read.");
    read += data?.length ?? 0;
    const at = { position, isLast: read >= bytes };
    if (data === undefined || read > bytes || (digests !== null && !isExpected(digests, data, at)))
      throw contentDamaged(`chunk ${position} is not the one that was stored`);
    yield data;
  }
}
