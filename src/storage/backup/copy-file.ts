/** Copies of databases, made and read in the process of the checks: a large file takes seconds, and may be damaged. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, open, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { checkFile, openReadOnly } from "../check/check-file.ts";
import type { Copied, Expected, Staged } from "../check/messages.ts";
import { Connection } from "../connection.ts";
import { removeDatabase } from "../tenant-file.ts";
import { syncPath } from "./places.ts";

interface Copy {
  path: string;
  to: string;
  expected: Expected;
  onTable: (table: string) => void;
}

/**
 * Copies a database that may be in use: the copy has every write that was acknowledged before the call. Then opens the copy and
 * reads it completely. Leaves no copy that has a fault.
 */
export async function copyDatabase({ path, to, expected, onTable }: Copy): Promise<Copied> {
  await removeDatabase(to);
  let copied: Copied | undefined;
  try {
    onTable("");
    await vacuumInto(path, to);
    await chmod(to, 0o600);
    const { faults, version = 0 } = await checkFile(to, expected, onTable);
    await syncPath(to);
    copied = { faults, bytes: 0, sha256: "", version, auditRows: 0 };
    if (faults.length === 0)
      copied = { ...copied, auditRows: auditRows(to), sha256: await digestOf(to), bytes: (await stat(to)).size };
    return copied;
  } finally {
    if (copied === undefined || copied.faults.length > 0) await removeDatabase(to);
  }
}

/** Not by a connection for reading, which refuses the statement. This one writes nothing either. */
async function vacuumInto(path: string, to: string): Promise<void> {
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

export async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest("hex");
}

interface Stage {
  /** The file in the backup. */
  path: string;
  to: string;
  bytes: number;
  sha256: string;
  expected?: Expected | undefined;
  onTable: (table: string) => void;
}

/** Copies a file of a backup to where it will be used, if it is what the manifest says. Leaves no copy that has a fault. */
export async function stageFile({ path, to, bytes, sha256, expected, onTable }: Stage): Promise<Staged> {
  await removeDatabase(to);
  const faults: string[] = [];
  try {
    const hash = createHash("sha256");
    let size = 0;
    const target = await open(to, "wx", 0o600);
    await target.close();
    async function* read(): AsyncGenerator<Buffer> {
      for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    }
    await pipeline(Readable.from(read()), createWriteStream(to, { flags: "r+" }));
    await syncPath(to);
    if (size !== bytes) faults.push(`it has ${size} bytes, and the manifest says ${bytes}`);
    else if (hash.digest("hex") !== sha256) faults.push("its SHA-256 is not that of the manifest");
    else if (expected !== undefined) faults.push(...(await checkFile(to, expected, onTable)).faults);
    return { faults };
  } finally {
    if (faults.length > 0) await rm(to, { force: true });
  }
}
