import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import program from "../../../package.json" with { type: "json" };
import { type Clock, toInstant } from "../../core/clock.ts";
import { notFound, Problem } from "../../core/errors.ts";
import type { OrgId } from "../../core/ids.ts";
import type { OnProgress } from "../../core/progress.ts";
import { messageOf } from "../../core/system-error.ts";
import type { Checker } from "../check/checker.ts";
import { fileNote, isWhole } from "../check/file-note.ts";
import { installation as installationTable, tenantMarks } from "../control.tables.ts";
import { fullest, isFull, NoSpace, requireSpace } from "../disk-space.ts";
import type { Mutex } from "../mutex.ts";
import { secretName } from "../secret-key.ts";
import { isDiskFull } from "../sqlite-error.ts";
import type { Control } from "../store.ts";
import { removeDatabase, tenantPath } from "../tenant-file.ts";
import { encryptFile } from "./copy-file.ts";
import { CopyProgress } from "./copy-progress.ts";
import { type CopiedFile, type Manifest, writeManifest } from "./manifest.ts";
import { cantWrite, makePlace, nothingMade } from "./place-folder.ts";
import { type Backup, backupsOf, nameOf, partialName, removePartial, share, syncPath } from "./places.ts";
import { isThere } from "./restore-note.ts";

export interface BackupSource {
  directory: string;
  control: Control;
  keyId: string;
  checker: Checker;
  clock: Clock;
  /** Each copy has it: no school's file is replaced meanwhile, which would wait while it is read. */
  copying: Mutex;
  /** Writes a database that is on a server to a file, see `dumpNamespace`. Without it, databases are files. */
  dump?: ((database: "control" | OrgId, to: string) => Promise<void>) | undefined;
}

export interface BackupRequest {
  /** The directory of backups. */
  place: string;
  /** Only this organization. */
  organization?: OrgId | undefined;
  /** Copies idle schools again, too. */
  isFull?: boolean | undefined;
  /** Keeps the control database's intents meanwhile, see `Intents`. */
  keepIntents: () => Promise<() => Promise<void>>;
  /** Encrypts the backup to this recipient of age. */
  recipient?: string | undefined;
  stopping: AbortSignal;
  onProgress?: OnProgress | undefined;
}

export interface TakenBackup {
  path: string;
  name: string;
  manifest: Manifest;
  /** The files that were copied anew. */
  copied: number;
  bytes: number;
}

/** While copies of the control database have new schools, it is copied again, so many times. */
const mostRounds = 4;

/**
 * Copies the control database and all schools while they are written to. Every copy has all that was acknowledged before the call.
 *
 * The schools are copied first, and the control database last, which keeps its intents meanwhile: what it has changed in a school
 * after the copy of that school is applied at the first start after a restore. What a school has changed in the control database
 * since is in the control database only, and `modules/operations/finish-restore.ts` brings it up to date.
 *
 * @throws NOT_FOUND no such organization
 * @throws CONFLICT  it would not be encrypted, and others there are; or the place can't be written to
 * @throws NoSpace   a disk is full; nothing is left
 * @throws Error     the control database can't be copied; nothing is left
 */
export async function takeBackup(source: BackupSource, request: BackupRequest): Promise<TakenBackup> {
  const { clock, control, keyId } = source;
  const { place, organization, recipient, stopping } = request;
  const startedAt = toInstant(clock.now());
  const [row] = await control.read((reader) => reader.select().from(installationTable));
  const identity = { key_id: keyId, installation: row?.created_at ?? "" };
  const name = nameOf(startedAt, organization);
  const partial = join(place, partialName(keyId, name));
  await makePlace(place);
  try {
    await removePartial(place, keyId);
    const all = await backupsOf(place, identity);
    if (recipient === undefined) requirePlain(place, all);
    await mkdir(partial, { mode: 0o700 }).catch((cause: unknown) => cantWrite(place, cause));
    const earlier = all.filter(({ manifest }) => manifest.recipient === (recipient ?? null));
    const run = new Run(source, request, partial, earlier);
    const release = await request.keepIntents();
    try {
      await (organization === undefined ? run.all() : run.one(organization));
    } finally {
      await release();
    }
    stopping.throwIfAborted();
    const manifest: Manifest = {
      format: 1,
      windsock: program.version,
      ...identity,
      started_at: startedAt,
      finished_at: toInstant(clock.now()),
      organization: organization ?? null,
      recipient: recipient ?? null,
      files: run.files,
      secret: recipient === undefined ? null : await encryptSecret(source.directory, partial, recipient),
      missing: run.missing,
    };
    await writeManifest(partial, manifest);
    const path = join(place, name);
    await rename(partial, path);
    await syncPath(place);
    return { path, name, manifest, copied: run.copied, bytes: run.bytes };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (error instanceof NoSpace || !isDiskFull(error)) throw error;
    throw new NoSpace(place, { bytes: 0, outcome: nothingMade, cause: error });
  }
}

/** A command in a shell without the recipient must not put readable copies among encrypted ones. @throws CONFLICT */
function requirePlain(place: string, all: readonly Backup[]): void {
  const recipient = all.find(({ manifest }) => manifest.recipient !== null)?.manifest.recipient;
  if (recipient === undefined) return;
  throw new Problem(
    "CONFLICT",
    `${place} has encrypted backups, and this one would not be. ${nothingMade} Set WINDSOCK_BACKUP_RECIPIENT=${recipient}, or choose another directory.`,
  );
}

/** The copies of one backup. */
class Run {
  readonly files: CopiedFile[] = [];
  readonly missing: { organization: OrgId; fault: string }[] = [];
  copied = 0;
  bytes = 0;
  readonly #source: BackupSource;
  readonly #request: BackupRequest;
  readonly #partial: string;
  /** Newest first. */
  readonly #earlier: readonly Backup[];
  readonly #done = new Set<OrgId>();
  readonly #progress: CopyProgress;

  constructor(source: BackupSource, request: BackupRequest, partial: string, earlier: readonly Backup[]) {
    this.#source = source;
    this.#request = request;
    this.#partial = partial;
    this.#earlier = earlier;
    this.#progress = new CopyProgress(request.onProgress);
  }

  async one(id: OrgId): Promise<void> {
    if (!(await this.#owned()).includes(id)) throw notFound("There is no such organization.");
    await this.#schools([id]);
    const [missing] = this.missing;
    if (missing !== undefined) throw new Error(`The school's file can't be copied: ${missing.fault}`);
  }

  async all(): Promise<void> {
    let due = await this.#owned();
    this.#progress.expect([{ bytes: await bytesOf(this.#controlPath) }]);
    for (let round = 1; ; round += 1) {
      await this.#schools(due);
      if (round > mostRounds) return;
      await this.#control();
      // Schools that signed up meanwhile.
      due = (await this.#owned()).filter((id) => !this.#done.has(id));
      if (due.length === 0) return;
    }
  }

  async #owned(): Promise<OrgId[]> {
    const rows = await this.#source.control.read((reader) =>
      reader.select({ id: tenantMarks.org_id }).from(tenantMarks),
    );
    return rows.map(({ id }) => id);
  }

  get #controlPath(): string {
    return join(this.#source.directory, "control.db");
  }

  async #control(): Promise<void> {
    const file = await this.#copy("control", this.#controlPath);
    if ("failure" in file) throw new Error(`control.db can't be copied: ${file.failure}`);
    this.files.splice(0, this.files.length, file, ...this.files.filter(({ database }) => database !== "control"));
  }

  async #schools(ids: readonly OrgId[]): Promise<void> {
    const sizes = new Map<OrgId, { bytes: number }>();
    for (const id of ids) sizes.set(id, { bytes: await bytesOf(tenantPath(this.#source.directory, id)) });
    this.#progress.expect([...sizes.values()]);
    for (const [id, size] of sizes) {
      await this.#school(id);
      this.#progress.finished(size);
    }
  }

  /** A school that can't be copied does not keep the others from being copied. */
  async #school(id: OrgId): Promise<void> {
    this.#request.stopping.throwIfAborted();
    this.#done.add(id);
    const path = tenantPath(this.#source.directory, id);
    const before = this.#copyOf(id);
    if (before !== undefined && !this.#request.isFull && fileNote(path) === before.file.note) {
      const { fault: _, ...file } = before.file;
      if (await this.#share(file, before.path)) return;
    }
    const file = await this.#copy(id, path);
    if (!("failure" in file)) return void this.files.push(file);
    const fault = file.failure;
    // Its last good copy must not be lost when older backups are removed.
    if (before !== undefined && (await this.#share({ ...before.file, fault }, before.path))) return;
    this.missing.push({ organization: id, fault });
  }

  /** Returns the newest copy of a school in an earlier backup. */
  #copyOf(id: OrgId): { file: CopiedFile; path: string } | undefined {
    for (const { path, manifest } of this.#earlier) {
      const file = manifest.files.find(({ database }) => database === id);
      if (file !== undefined) return { file, path };
    }
    return undefined;
  }

  /** @returns whether it was there */
  async #share(file: CopiedFile, backup: string): Promise<boolean> {
    const path = join(backup, file.name);
    const size = await stat(path).then(({ size }) => size, ignored);
    if (size !== file.bytes) return false;
    await share(path, join(this.#partial, file.name));
    this.files.push(file);
    return true;
  }

  /**
   * Schools write to the disk of the data directory: a copy must not take its last space. On another disk, it is tried.
   *
   * @throws NoSpace
   */
  async #leaveSpace(bytes: number): Promise<void> {
    const { directory } = this.#source;
    const { place, recipient } = this.#request;
    const [own, other] = await Promise.all([stat(directory), stat(place)]);
    const copies = (recipient === undefined ? 0 : 1) + (own.dev === other.dev ? 1 : 0);
    if (copies > 0) requireSpace(directory, { bytes: copies * bytes, outcome: nothingMade });
  }

  /** A database of a server is copied each time: nothing cheap says whether it has changed. */
  async #copy(database: "control" | OrgId, path: string): Promise<CopiedFile | { failure: string }> {
    const { directory, dump } = this.#source;
    if (dump === undefined) return this.#copyFile(database, path);
    const dumped = join(directory, `${database}.db.backup.tmp`);
    try {
      await dump(database, dumped);
      const file = await this.#copyFile(database, dumped);
      return "failure" in file ? file : { ...file, note: null };
    } catch (cause) {
      if (cause instanceof NoSpace || this.#request.stopping.aborted) throw cause;
      if (isDiskFull(cause)) throw new NoSpace(directory, { bytes: 0, outcome: nothingMade, cause });
      return { failure: messageOf(cause) };
    } finally {
      await removeDatabase(dumped);
    }
  }

  async #copyFile(database: "control" | OrgId, path: string): Promise<CopiedFile | { failure: string }> {
    const { checker, clock } = this.#source;
    const { place, recipient } = this.#request;
    const name = `${database}.db${recipient === undefined ? "" : ".age"}`;
    const copied = join(this.#partial, name);
    // The place of the backups never has what is not encrypted.
    const to = recipient === undefined ? copied : join(this.#source.directory, `${database}.db.copy.tmp`);
    const encrypt = recipient === undefined ? undefined : { to: copied, recipient };
    const taken_at = toInstant(clock.now());
    const note = fileNote(path);
    const expected =
      database === "control"
        ? { kind: "control" as const }
        : { kind: "tenant" as const, orgId: database, isNew: false };
    const bytes = await bytesOf(path);
    await this.#leaveSpace(bytes);
    const copying = this.#progress.follow({ name: database, bytes, to }, (onTable) =>
      this.#source.copying.run(() => checker.copy(path, { to, expected, encrypt }, onTable)),
    );
    const copy = await copying.catch(async (cause: unknown) => {
      // A process that was killed has left a part.
      for (const part of new Set([to, copied])) await removeDatabase(part);
      this.#request.stopping.throwIfAborted();
      const full = fullest(recipient === undefined ? [place] : [this.#source.directory, place]);
      if (isDiskFull(cause) || isFull(full)) throw new NoSpace(full, { bytes, outcome: nothingMade, cause });
      return messageOf(cause);
    });
    if (typeof copy === "string") return { failure: copy };
    if (copy.faults.length > 0) return { failure: copy.faults.join("\n") };
    this.copied += 1;
    this.bytes += copy.bytes;
    const { sha256, databaseSha256: database_sha256, version: schema_version, auditRows: audit_rows } = copy;
    const isSame = note !== undefined && fileNote(path) === note && isSettled(note, (await stat(copied)).mtimeMs);
    return {
      name,
      database,
      taken_at,
      bytes: copy.bytes,
      sha256,
      database_sha256,
      schema_version,
      audit_rows,
      note: isSame ? note : null,
    };
  }
}

/** Of a database with its rows in the `-wal` file; 0 if it is missing. */
async function bytesOf(path: string): Promise<number> {
  const sizes = await Promise.all(
    [path, `${path}-wal`].map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Two changes within this time may give a file the same time: the coarsest file systems count in two seconds. */
const tick = 2000;

/** Returns whether each later change of a file gives it another note. @param now by the clock of the file system */
function isSettled(note: string, now: number): boolean {
  const [, changed] = note.split(" ").map(Number);
  return isWhole(note) && changed !== undefined && changed < now - tick;
}

/** The secret is only in a backup that nobody can read without the identity, and only if it is a file. */
async function encryptSecret(directory: string, partial: string, recipient: string): Promise<Manifest["secret"]> {
  const path = join(directory, secretName);
  if (!(await isThere(path))) return null;
  const name = `${secretName}.age`;
  return { name, ...(await encryptFile(path, { to: join(partial, name), recipient })) };
}

const ignored = () => undefined;
