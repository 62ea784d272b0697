/** The files of a pack in the organization's file. A school has one write at a time, so each chunk is a short transaction. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import { ownTurn } from "../../../core/async.ts";
import { inChunks } from "../../../core/chunks.ts";
import { chunkDigest, chunksOf, storedContent } from "../../../storage/content.ts";
import { insertRow } from "../../../storage/insert-row.ts";
import { lookUp } from "../../../storage/lookup.ts";
import type { Reader, Tenant, Tx } from "../../../storage/store.ts";
import { evidenceChunks as chunks, type PackId, evidenceParts as table } from "../evidence.tables.ts";
import { findPackRow } from "./packs.queries.ts";

export type PartRow = typeof table.$inferSelect;
type Store = Pick<Tenant, "read" | "write">;

/** A file of a pack, as it is made. */
export interface Content {
  name: string;
  media_type: PartRow["media_type"];
  content: AsyncIterable<Uint8Array>;
}

/** Stores a part as it is made. Nothing shows it until the pack is ready. @throws the server stops */
export async function writePart(
  { tenant, stopping }: { tenant: Pick<Tenant, "write">; stopping: AbortSignal },
  { pack_id, position: part }: Pick<PartRow, "pack_id" | "position">,
  { name, media_type, content }: Content,
): Promise<PartRow> {
  const hash = createHash("sha256");
  const digests: Buffer[] = [];
  let [position, bytes, checksum] = [0, 0, 0];
  for await (const data of inChunks(content)) {
    hash.update(data);
    digests.push(chunkDigest(data));
    checksum = crc32(data, checksum);
    bytes += data.length;
    await ownTurn();
    stopping.throwIfAborted();
    await tenant.write(async (tx) => {
      tx.unseen();
      await insertRow(tx, chunks, { pack_id, part, position, data });
    });
    position += 1;
  }
  const hashes = { sha256: hash.digest("hex"), crc32: checksum, chunk_digests: Buffer.concat(digests) };
  const row = { pack_id, position: part, name, media_type, bytes, ...hashes };
  await tenant.write(async (tx) => {
    tx.unseen();
    await insertRow(tx, table, row);
  });
  return row;
}

/** Returns the parts of a pack, in their order. */
export const partsOf = (reader: Reader<"tenant">, id: PackId): Promise<PartRow[]> =>
  reader.select(getTableColumns(table)).from(table).where(eq(table.pack_id, id)).orderBy(asc(table.position));

const chunk = lookUp(
  { data: chunks.data },
  sql`from ${chunks} where ${chunks.pack_id} = ${sql.placeholder("pack_id")} and ${chunks.part} = ${sql.placeholder("part")}
    and ${chunks.position} = ${sql.placeholder("position")}`,
);

const rowAt = lookUp(
  { bytes: table.bytes },
  sql`from ${table} where ${table.pack_id} = ${sql.placeholder("pack_id")} and ${table.position} = ${sql.placeholder("part")}`,
);

/** Reads the content of a part, one chunk at a time. @throws as of `storedContent` */
export const contentOf = (
  tenant: Pick<Tenant, "read">,
  { pack_id, position: part, bytes, chunk_digests: digests }: PartRow,
): AsyncGenerator<Uint8Array> =>
  storedContent(tenant, {
    bytes,
    digests,
    chunk: (reader, position) => chunk(reader, { pack_id, part, position }),
    exists: async (reader) => (await rowAt(reader, { pack_id, part })) !== undefined,
  });

/** Returns whether a pack has all of these parts with all of their content, and no others. */
export async function areStored(reader: Reader<"tenant">, id: PackId, parts: readonly PartRow[]): Promise<boolean> {
  const stored = await partsOf(reader, id);
  const isSame = (part: PartRow, at: number) => part.sha256 === parts[at]?.sha256;
  const ofParts = parts.reduce((sum, { chunk_digests }) => sum + (chunk_digests ? chunksOf(chunk_digests) : 0), 0);
  if (stored.length !== parts.length || !stored.every(isSame)) return false;
  return (await reader.$count(chunks, eq(chunks.pack_id, id))) === ofParts;
}

/** 1 MiB. */
const removeChunks = sql`delete from ${chunks} where rowid in (
  select rowid from ${chunks} where ${chunks.pack_id} = ${sql.placeholder("id")} limit 4)`;

/** Deletes what an earlier attempt has left, in several transactions. */
export async function discardParts(store: Store, id: PackId): Promise<void> {
  const isEmpty = async (reader: Reader<"tenant">) =>
    (await partsOf(reader, id)).length + (await reader.$count(chunks, eq(chunks.pack_id, id))) === 0;
  while (!(await store.read(isEmpty))) {
    await ownTurn();
    const isDone = await store.write(async (tx) => {
      tx.unseen();
      const pack = await findPackRow(tx, id);
      // Another process has finished it.
      if (pack?.status === "ready" && pack.content_removed_at === null) return true;
      const [removed] = await tx.countEach(removeChunks, [[id]]);
      if (removed === 0) await tx.delete(table).where(eq(table.pack_id, id));
      return false;
    });
    if (isDone) return;
  }
}

/** Deletes the parts of a pack, all in one transaction. */
export async function removeParts(tx: Tx<"tenant">, id: PackId): Promise<void> {
  for (let removed: number | undefined; removed !== 0; await ownTurn())
    [removed] = await tx.countEach(removeChunks, [[id]]);
  await tx.delete(table).where(eq(table.pack_id, id));
}
