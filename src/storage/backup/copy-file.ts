/** Copies of databases, made and read in the process of the checks: a large file takes seconds, and may be damaged. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, type ReadStream } from "node:fs";
import { chmod, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { messageOf } from "../../core/system-error.ts";
import { checkFile, openReadOnly } from "../check/check-file.ts";
import type { Copied, Expected, Staged } from "../check/messages.ts";
import { Connection } from "../connection.ts";
import { isDiskFull } from "../sqlite-error.ts";
import { removeDatabase } from "../tenant-file.ts";
import { decrypted, encrypted } from "./age.ts";
import { syncPath } from "./places.ts";

interface Copy {
  path: string;
  to: string;
  expected: Expected;
  /** Encrypts the copy into a file, and removes it. */
  encrypt?: { to: string; recipient: string } | undefined;
  onTable: (table: string) => void;
}

/**
 * Copies a database that may be in use: the copy has every write that was acknowledged before the call. Then opens the copy and
 * reads it completely. Leaves no copy that has a fault.
 */
export async function copyDatabase({ path, to, expected, encrypt, onTable }: Copy): Promise<Copied> {
  await removeDatabase(to);
  let isSound = false;
  try {
    onTable("");
    await vacuumInto(path, to);
    await chmod(to, 0o600);
    const { faults, version = 0 } = await checkFile(to, expected, onTable);
    if (faults.length > 0) return { faults, bytes: 0, sha256: "", databaseSha256: "", version, auditRows: 0 };
    const database = await digestOf(to);
    const made = { faults, databaseSha256: database.sha256, version, auditRows: auditRows(to) };
    if (encrypt === undefined) await syncPath(to);
    isSound = encrypt === undefined;
    return { ...made, ...(encrypt === undefined ? database : await encryptFile(to, encrypt)) };
  } finally {
    if (!isSound) await removeDatabase(to);
  }
}

/** @returns what the manifest says about the encrypted file */
export async function encryptFile(
  path: string,
  { to, recipient }: { to: string; recipient: string },
): Promise<{ bytes: number; sha256: string }> {
  await writeStream(await encrypted(streamOf(path), recipient), to);
  return digestOf(to);
}

/** Not by a connection for reading, which refuses the statement. This one writes nothing either. */
export async function vacuumInto(path: string, to: string): Promise<void> {
  const source = new Connection(`${pathToFileURL(path).href}?mode=ro`, "write");
  try {
    await source.execute("VACUUM INTO ?", [to]);
  } finally {
    source.close();
  }
}

function auditRows(path: string): number {
  const connection = openReadOnly(path);
  try {
    return Number(connection.first("select coalesce(max(seq), 0) from audit_log", [])?.[0]);
  } finally {
    connection.close();
  }
}

/** Size and SHA-256 of a file. */
export async function digestOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: piece }), hash);
  return { bytes: (await stat(path)).size, sha256: hash.digest("hex") };
}

interface Stage {
  /** The file in the backup. */
  path: string;
  to: string;
  bytes: number;
  sha256: string;
  /** The file with the identity that opens an encrypted one. */
  identity?: string | undefined;
  expected?: Expected | undefined;
  onTable: (table: string) => void;
}

/**
 * Copies a file of a backup to where it will be used, if it is what the manifest says. Leaves no copy that has a fault.
 *
 * @throws the disk is full: the file in the backup may be sound
 */
export async function stageFile({ path, to, identity, expected, onTable, ...said }: Stage): Promise<Staged> {
  await removeDatabase(to);
  const faults: string[] = [];
  try {
    const found = await digestOf(path);
    if (found.bytes !== said.bytes) faults.push(`it has ${found.bytes} bytes, and the manifest says ${said.bytes}`);
    else if (found.sha256 !== said.sha256) faults.push("its SHA-256 is not that of the manifest");
    else {
      const stream = streamOf(path);
      await writeStream(identity === undefined ? stream : await decrypted(stream, identity), to);
      // What was copied is read again: the check reads what it opens, and not what the copy was made of.
      if (expected !== undefined) faults.push(...(await checkFile(to, expected, onTable)).faults);
    }
  } catch (error) {
    if (isDiskFull(error)) {
      await removeDatabase(to);
      throw error;
    }
    faults.push(messageOf(error));
  }
  if (faults.length > 0) await removeDatabase(to);
  return { faults };
}

/** Bytes that are read at once. */
const piece = 1024 * 1024;

/** @param first what comes before the content of the file */
export function streamOf(file: string | ReadStream, first?: Uint8Array): ReadableStream<Uint8Array> {
  const chunks = typeof file === "string" ? createReadStream(file, { highWaterMark: piece }) : file;
  const reader = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    start(controller) {
      if (first) controller.enqueue(first);
    },
    async pull(controller) {
      const { done, value } = await reader.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void chunks.destroy(),
  });
}

/** Writes a new file that only its owner can read, and waits until it is on the disk. */
export async function writeStream(bytes: ReadableStream<Uint8Array>, to: string): Promise<void> {
  await rm(to, { force: true });
  await pipeline(bytes, createWriteStream(to, { flags: "wx", mode: 0o600 }));
  await syncPath(to);
}
