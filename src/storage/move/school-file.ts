/**
 * The file of a school that moves to another installation: a first line of JSON (`SchoolHead`), then its database, encrypted with a
 * passphrase in the format of age. It is made and read in the process of the checks.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { isId, type OrgId } from "../../core/ids.ts";
import { messageOf } from "../../core/system-error.ts";
import { decrypted, decryptedWith, encryptedWith } from "../backup/age.ts";
import { digestOf, streamOf, vacuumInto, writeStream } from "../backup/copy-file.ts";
import { syncPath } from "../backup/places.ts";
import { checkFile, openReadOnly } from "../check/check-file.ts";
import { Connection } from "../connection.ts";
import { applicationId, migrate, upgradeFirst } from "../migrations.ts";
import { migrationsOf } from "../migrations-of.ts";
import { isDiskFull } from "../sqlite-error.ts";
import { removeDatabase } from "../tenant-file.ts";
import { Described, type Opened, SchoolHead } from "./school-head.ts";

interface Seal {
  /** A copy of the school's database, which nobody has open. */
  path: string;
  /** A file that does not exist. */
  to: string;
  head: SchoolHead;
  passphrase: string;
  /** See `encryptedWith`. */
  cost?: number | undefined;
}

export async function sealSchool({
  path,
  to,
  head,
  passphrase,
  cost,
}: Seal): Promise<{ bytes: number; sha256: string }> {
  const plain = streamOf(path, Buffer.from(`${JSON.stringify(head)}\n`));
  await writeStream(await encryptedWith(plain, passphrase, cost), to);
  return digestOf(to);
}

interface Open {
  /** An export, or the database of a school. */
  path: string;
  to: string;
  passphrase?: string | undefined;
  /** The file with the identity that opens a database of an encrypted backup. */
  identity?: string | undefined;
  onTable: (table: string) => void;
}

/** Reads an export, or copies a database, and checks what it has. Leaves no file that has a fault. */
export async function openSchool({ path, to, passphrase, identity, onTable }: Open): Promise<Opened> {
  await removeDatabase(to);
  let isSound = false;
  const faulty = (...faults: string[]): Opened => ({ faults, head: null, described: null });
  try {
    const kind = await kindOf(path);
    if (kind === undefined) return faulty("it is neither an export of a school nor a database");
    const isCopy = kind === "export" && identity !== undefined;
    if (kind === "export" && !isCopy && passphrase === undefined) return faulty("it is encrypted: give its passphrase");
    const head = kind === "export" && !isCopy ? await decryptSchool(path, to, passphrase ?? "") : null;
    if (typeof head === "string") return faulty(head);
    const fault = isCopy ? await decryptCopy(path, to, identity) : undefined;
    if (fault !== undefined) return faulty(fault);
    if (kind === "database") {
      onTable("");
      await vacuumInto(path, to);
    }
    const id = head?.organization ?? organizationIn(to);
    if (id === undefined) return faulty("it is not the database of a school");
    const { faults } = await checkFile(to, { kind: "tenant", orgId: id, isNew: false }, onTable);
    if (faults.length > 0) return faulty(...faults);
    const described = describe(to);
    if (head !== null && head.database.audit_rows !== described.audit_rows)
      return faulty(`its audit log has ${described.audit_rows} rows, not ${head.database.audit_rows}`);
    isSound = true;
    return { faults: [], head, described };
  } finally {
    if (!isSound) await removeDatabase(to);
  }
}

/** Migrates a school's database that was opened, gives it a sealed key, and waits until it is on the disk. */
export async function prepareSchool(
  path: string,
  key: Pick<Described, "data_key" | "sealed_by"> | null,
): Promise<void> {
  const connection = new Connection(path, "write");
  try {
    await migrate(connection, "tenant", migrationsOf.tenant);
    if (key) await connection.execute("update meta set data_key = ?, sealed_by = ?", [key.data_key, key.sealed_by]);
    // Until this connection is collected, a `-wal` file of this name would be its own, and its end would lock the file for a moment.
    await connection.execute("PRAGMA journal_mode = DELETE");
  } finally {
    connection.close();
  }
  await syncPath(path);
}

const marks = { export: "age-encryption.org/v1\n", database: "SQLite format 3\0" } as const;

async function kindOf(path: string): Promise<keyof typeof marks | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(32), 0, 32, 0);
    const begin = buffer.subarray(0, bytesRead).toString("latin1");
    if (begin.startsWith(marks.export)) return "export";
    return begin.startsWith(marks.database) ? "database" : undefined;
  } finally {
    await file.close();
  }
}

/** The longest first line: the accounts of some 100,000 members. */
const longestHead = 64 * 1024 * 1024;

/** Writes the database of an export. @returns its head, or the fault */
async function decryptSchool(path: string, to: string, passphrase: string): Promise<SchoolHead | string> {
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 });
  try {
    const plain = await decryptedWith(streamOf(file), passphrase).catch(() => undefined);
    if (plain === undefined)
      return "the passphrase is wrong, or the file is damaged; a copy in an encrypted backup is opened with --identity FILE";
    const reader = plain.getReader();
    const begun = await readLine(reader);
    if (begun === undefined) return "it is not an export of a school";
    const head = headIn(begun.line);
    if (typeof head === "string") return head;
    const [hash, written] = [createHash("sha256"), { bytes: 0 }];
    await rm(to, { force: true });
    async function* database() {
      for (let piece: Uint8Array | undefined = begun?.rest; piece !== undefined; piece = (await reader.read()).value) {
        hash.update(piece);
        written.bytes += piece.length;
        yield piece;
      }
    }
    await pipeline(database(), createWriteStream(to, { flags: "wx", mode: 0o600 }));
    const { bytes, sha256 } = head.database;
    return written.bytes === bytes && hash.digest("hex") === sha256
      ? head
      : "its SHA-256 is not that of its first line";
  } catch (error) {
    if (isDiskFull(error)) throw error;
    return `it can't be decrypted to its end: ${messageOf(error)}`;
  } finally {
    file.destroy();
  }
}

/** Writes the database of an encrypted backup. @returns the fault */
async function decryptCopy(path: string, to: string, identity: string): Promise<string | undefined> {
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 });
  try {
    await writeStream(await decrypted(streamOf(file), identity), to);
    return undefined;
  } catch (error) {
    if (isDiskFull(error)) throw error;
    return `it can't be decrypted: ${messageOf(error)}`;
  } finally {
    file.destroy();
  }
}

async function readLine(reader: ReadableStreamDefaultReader<Uint8Array>) {
  const pieces: Uint8Array[] = [];
  for (let length = 0; length <= longestHead; ) {
    const { value } = await reader.read();
    if (value === undefined) return undefined;
    const end = value.indexOf(0x0a);
    if (end >= 0) {
      const line = Buffer.concat([...pieces, value.subarray(0, end)]).toString("utf8");
      return { line, rest: value.subarray(end + 1) };
    }
    pieces.push(value);
    length += value.length;
  }
  return undefined;
}

function headIn(line: string): SchoolHead | string {
  const { success, data } = SchoolHead.safeParse(parse(line));
  if (!success) return `it is not an export of this version of Windsock: ${upgradeFirst}`;
  const newer =
    data.versions.control > migrationsOf.control.length || data.versions.tenant > migrationsOf.tenant.length;
  if (newer) return `Windsock ${data.windsock} made it, which is newer than this program: ${upgradeFirst}`;
  return data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the schema rejects it
  }
}

/** Before the check, so it reads bytes only. */
function organizationIn(path: string): OrgId | undefined {
  const connection = openReadOnly(path);
  try {
    const [id] = connection.first("PRAGMA application_id", []) ?? [];
    if (id !== applicationId.tenant) return undefined;
    const [owner] = connection.first("select cast(org_id as blob) from meta", []) ?? [];
    const text =
      owner instanceof Uint8Array || owner instanceof ArrayBuffer ? Buffer.from(owner as Uint8Array).toString() : "";
    return isId<"organization">(text) ? text : undefined;
  } finally {
    connection.close();
  }
}

function describe(path: string): Described {
  const connection = openReadOnly(path);
  try {
    // Not all versions have the time zone.
    const [zone] = connection.first("select 1 from pragma_table_info('meta') where name = 'time_zone'", []) ?? [];
    const columns = `org_id, name, ${zone === undefined ? "'UTC'" : "time_zone"}, data_key, sealed_by`;
    const [organization, name, time_zone, data_key, sealed_by] =
      connection.first(`select ${columns} from meta`, []) ?? [];
    const [audit_rows] = connection.first("select coalesce(max(seq), 0) from audit_log", []) ?? [];
    return Described.parse({ organization, name, time_zone, data_key, sealed_by, audit_rows });
  } finally {
    connection.close();
  }
}
