/** Files in a database whose content is in chunks (`storage/content.ts`): whether it is what was stored. */
import { createHash } from "node:crypto";
import { sha256 } from "../../core/crypto.ts";
import type { Connection } from "../connection.ts";
import { chunkDigest, isExpected } from "../content.ts";

interface StoredFiles {
  /** The table of the files, whose rows have the digests, and the table of their chunks. */
  table: string;
  chunks: string;
  /** The columns of the chunks that name the file, and those of the file. */
  key: Readonly<Record<string, string>>;
  bytes: string;
}

/** The tables with stored files. `test/unit/tables.test.ts` compares the list with the tables. */
export const storedFiles: readonly StoredFiles[] = [
  { table: "attachments", chunks: "attachment_chunks", key: { attachment_id: "id" }, bytes: "size_bytes" },
  {
    table: "evidence_parts",
    chunks: "evidence_chunks",
    key: { pack_id: "pack_id", part: "position" },
    bytes: "bytes",
  },
  {
    table: "finance_documents",
    chunks: "finance_document_chunks",
    key: { document_id: "id" },
    bytes: "size_bytes",
  },
];

/** A file that was read. */
export interface ReadFile {
  rowid: number;
  sha256: string;
  /** Null if it is what was stored. */
  fault: string | null;
  /** The digests of its chunks, if it is what was stored and its row has none: an older version stored it. */
  missing: Buffer | null;
}

/** Reads the first file after a row; undefined if there is none. */
export function readFileAfter(connection: Connection, files: StoredFiles, after: number): ReadFile | undefined {
  const { table, chunks, key, bytes } = files;
  const name = Object.values(key).map((column) => `cast(${column} as blob)`);
  // Blobs, because a damaged row may have text that ends the process.
  const row = connection.first(
    `select rowid, ${bytes}, cast(sha256 as blob), ${digestsColumn(connection, table)}, ${name.join(" || ' ' || ")}
     from ${table} where rowid > ? order by rowid limit 1`,
    [after],
  );
  if (row === undefined) return undefined;
  const [rowid, size, hash, digests, id] = row;
  const kept = textOf(hash);
  const join = Object.entries(key).map(([inChunks, inFiles]) => `c.${inChunks} = f.${inFiles}`);
  const nextChunk = `select cast(c.data as blob) from ${table} f join ${chunks} c on ${join.join(" and ")}
    where f.rowid = ? and c.position = ?`;
  const read = (position: number) => bytesOf(connection.first(nextChunk, [Number(rowid), position])?.[0]);
  const found = check(read, { size: Number(size), sha256: kept, digests: bytesOf(digests) });
  const fault = found.fault === undefined ? null : `${table} ${textOf(id)}: ${found.fault}`;
  return {
    rowid: Number(rowid),
    sha256: kept,
    fault,
    missing: fault === null && digests === null ? found.digests : null,
  };
}

/** A file of an older version lacks the column. */
function digestsColumn(connection: Connection, table: string): string {
  const isThere = connection.first("select 1 from pragma_table_info(?) where name = 'chunk_digests'", [table]);
  return isThere === undefined ? "null" : "chunk_digests";
}

function check(
  read: (position: number) => Buffer | undefined,
  file: { size: number; sha256: string; digests: Buffer | undefined },
): { fault: string | undefined; digests: Buffer } {
  const hash = createHash("sha256");
  const digests: Buffer[] = [];
  const result = (fault?: string) => ({ fault, digests: Buffer.concat(digests) });
  for (let [position, bytes] = [0, 0]; bytes < file.size; position += 1) {
    const data = read(position);
    if (data === undefined) return result(`chunk ${position} is missing`);
    bytes += data.length;
    const at = { position, isLast: bytes >= file.size };
    if (file.digests && !isExpected(file.digests, data, at)) return result(`chunk ${position} is damaged`);
    hash.update(data);
    digests.push(chunkDigest(data));
  }
  return result(hash.digest("hex") === file.sha256 ? undefined : "the content does not match its SHA-256");
}

const bytesOf = (value: unknown): Buffer | undefined =>
  value instanceof Uint8Array || value instanceof ArrayBuffer ? Buffer.from(value as Uint8Array) : undefined;

const textOf = (value: unknown): string => bytesOf(value)?.toString() ?? String(value);

/** The evidence packs after a row, at most so many, and the faults of what was signed about them. */
export function checkPacksAfter(
  connection: Connection,
  after: number,
  limit: number,
): { faults: string[]; last: number | null } {
  const faults: string[] = [];
  let last: number | null = null;
  for (let count = 0; count < limit; count += 1) {
    const row = connection.first(
      `select rowid, cast(id as blob), cast(manifest as blob), cast(manifest_sha256 as blob), content_removed_at is null
       from evidence_packs where rowid > ? and manifest is not null order by rowid limit 1`,
      [last ?? after],
    );
    if (row === undefined) return { faults, last: null };
    const [rowid, id, manifest, hash, hasContent] = row;
    last = Number(rowid);
    const signed = bytesOf(manifest) ?? Buffer.alloc(0);
    const pack = `evidence_packs ${textOf(id)}`;
    if (sha256(signed) !== textOf(hash)) faults.push(`${pack}: the manifest does not match its SHA-256`);
    else if (hasContent === 1 && signedParts(signed) !== storedParts(connection, last))
      faults.push(`${pack}: its parts are not those that its manifest names`);
  }
  return { faults, last };
}

const lineOf = (parts: readonly unknown[]) => JSON.stringify(parts.map((part) => textOf(part)));

function signedParts(manifest: Buffer): string {
  const { parts }: { parts?: unknown } = JSON.parse(manifest.toString());
  if (!Array.isArray(parts)) return "";
  return parts.map(({ name, bytes, sha256 }) => lineOf([name, bytes, sha256])).join("\n");
}

function storedParts(connection: Connection, pack: number): string {
  const lines: string[] = [];
  for (let position = 0; ; position += 1) {
    const row = connection.first(
      `select cast(name as blob), bytes, cast(sha256 as blob) from evidence_parts
       where pack_id = (select id from evidence_packs where rowid = ?) and position = ?`,
      [pack, position],
    );
    if (row === undefined) return lines.join("\n");
    lines.push(lineOf(row));
  }
}
