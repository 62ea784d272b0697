import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Instant, toInstant } from "../../core/clock.ts";
import { keyRing } from "../../core/crypto.ts";
import { isId, type OrgId } from "../../core/ids.ts";
import type { OnProgress } from "../../core/progress.ts";
import { messageOf } from "../../core/system-error.ts";
import { openReadOnly } from "../check/check-file.ts";
import type { Checker } from "../check/checker.ts";
import type { Expected } from "../check/messages.ts";
import { lockDataDirectory } from "../data-lock.ts";
import { NoSpace, requireSpace } from "../disk-space.ts";
import { privateDirectory } from "../private-files.ts";
import { findSecret, secretName } from "../secret-key.ts";
import { isDiskFull } from "../sqlite-error.ts";
import { tenantPath } from "../tenant-file.ts";
import { CopyProgress } from "./copy-progress.ts";
import { requireIdentity } from "./identity.ts";
import { type CopiedFile, type Manifest, readManifest } from "./manifest.ts";
import { isThere, placeRestored, type RestoreNote, readRestoreNote, writeRestoreNote } from "./restore-note.ts";

export interface RestoreRequest {
  /** The directory of the backup. */
  from: string;
  reason: string;
  by: string;
  /** Replaces what is there. */
  force: boolean;
  /** The file with the identity that opens an encrypted backup. */
  identity?: string | undefined;
}

interface Options {
  directory: string;
  checker: Checker;
  now: Date;
  /** The configured secret. */
  secret: Buffer | undefined;
  onProgress?: OnProgress | undefined;
  /** Called before each step; tests kill the process there. */
  step?: ((name: string) => void) | undefined;
}

export interface Restored {
  /** The folder with the files before the restore; undefined if there were none. */
  kept: string | undefined;
  databases: number;
  /** Schools that the backup does not have, and why. */
  missing: Manifest["missing"];
  /** Whether the directory has the secret of the data: otherwise, no server can open it. */
  hasSecret: boolean;
}

/**
 * Restores a backup of the whole installation into a data directory that no process uses. First copies all files beside those that
 * are there, and checks them; then replaces all. The next start brings the databases into agreement.
 *
 * @throws NoSpace the disk is full; the directory is as it was, or the message says what goes on
 * @throws Error   with a message for the operator; the directory is as it was
 */
export const restoreInstallation = (request: RestoreRequest, options: Options): Promise<Restored> =>
  namingFullDisk(options.directory, () => restoreAll(request, options));

async function restoreAll(request: RestoreRequest, options: Options): Promise<Restored> {
  const { from, force } = request;
  const { directory, now, step = () => undefined } = options;
  const manifest = await readFor(request);
  if (manifest.organization !== null)
    throw new Error(`${from} is a backup of one school. Add --org ${manifest.organization}.`);
  await privateDirectory(directory);
  const lock = await lockDataDirectory(directory);
  try {
    await placeRestored(directory);
    const present = await databasesIn(directory);
    if (present.length > 0 && !force)
      throw new Error(
        `${directory} has an installation. Add --force to replace it; its files are kept in a folder beside the new ones.`,
      );
    const secret = await findSecret(directory, options.secret);
    if (secret !== undefined && keyRing(secret).id !== manifest.key_id)
      throw new Error(
        `The backup was sealed with another secret than this installation's. ${
          manifest.secret === null
            ? "Put the secret.key of the backup's installation in the data directory, or set its WINDSOCK_SECRET_KEY."
            : "The backup has it: move the secret.key of the data directory away, and it is restored, too."
        }`,
      );
    step("restore: stage");
    const { files } = manifest;
    const restoresSecret = secret === undefined && manifest.secret !== null;
    const staged = [
      ...files.map(stagedDatabase),
      ...(restoresSecret && manifest.secret ? [{ ...manifest.secret, to: secretName }] : []),
    ];
    const names = staged.map(({ to }) => to);
    await stageAll(request, staged, options);
    const note: RestoreNote = {
      ...noteOf(request, names, now),
      removed: present.filter((name) => !names.includes(name)),
      unfinished: behindControl(join(directory, "control.db.tmp"), manifest),
    };
    await replaceFiles(directory, note, { step, alone: (work) => work() });
    return {
      kept: present.length > 0 ? join(directory, note.kept) : undefined,
      databases: files.length,
      missing: manifest.missing,
      hasSecret: secret !== undefined || restoresSecret,
    };
  } finally {
    lock.release();
  }
}

const nothingChanged = "Nothing was changed.";

/** @throws NoSpace in place of the system's error */
async function namingFullDisk<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof NoSpace || !isDiskFull(cause)) throw cause;
    const note = await readRestoreNote(directory);
    const outcome =
      note === undefined || note.isPlaced
        ? nothingChanged
        : "The restore has begun to replace files: the next start of the server completes it.";
    throw new NoSpace(directory, { bytes: 0, outcome, cause });
  }
}

/** Replaces the staged files. With the note, the restore goes forward. @throws without it, no staged file is left */
async function replaceFiles(directory: string, note: RestoreNote, { step, alone }: Replacing): Promise<void> {
  try {
    await alone(async () => {
      step?.("restore: begin");
      await writeRestoreNote(directory, note);
      await placeRestored(directory, step);
    });
  } catch (error) {
    const written = await readRestoreNote(directory);
    if (written?.kept !== note.kept) await removeStaged(directory, note.replaced);
    throw error;
  }
}

interface Replacing {
  step: Options["step"];
  /** Runs the work while nobody uses the files. */
  alone(work: () => Promise<void>): Promise<void>;
}

async function removeStaged(directory: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(directory, `${name}.tmp`), { force: true });
}

/** @throws Error it is not complete, or is encrypted and the identity does not open it */
async function readFor({ from, identity }: RestoreRequest): Promise<Manifest> {
  const manifest = await readManifest(from);
  if (manifest.recipient !== null && identity === undefined)
    throw new Error(`The backup is encrypted to ${manifest.recipient}. Add --identity FILE.`);
  if (identity !== undefined) await requireIdentity(manifest, identity);
  return manifest;
}

/** A file of a backup, and its name in the data directory. */
interface StagedFile extends Pick<CopiedFile, "name" | "bytes" | "sha256"> {
  to: string;
  expected?: Expected;
}

const stagedDatabase = ({ name, database, bytes, sha256 }: CopiedFile): StagedFile => ({
  ...{ name, bytes, sha256, to: `${database}.db` },
  expected: database === "control" ? { kind: "control" } : { kind: "tenant", orgId: database, isNew: false },
});

/** Copies files of a backup to their names with `.tmp`. @throws Error none is left */
async function stageAll(
  { from, identity }: RestoreRequest,
  files: readonly StagedFile[],
  { directory, checker, step, onProgress }: Pick<Options, "directory" | "checker" | "step" | "onProgress">,
): Promise<void> {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  requireSpace(directory, { bytes, outcome: nothingChanged });
  const faults: string[] = [];
  const progress = new CopyProgress(onProgress);
  progress.expect(files);
  const stage = async ({ name, to, ...file }: StagedFile) => {
    const path = join(from, name);
    if (!(await isThere(path))) return void faults.push(`${path}: it is missing`);
    const task = { ...file, to: join(directory, `${to}.tmp`), ...(name.endsWith(".age") && { identity }) };
    const staging = progress.follow({ name: to.replace(/\.db$/, ""), bytes: file.bytes, to: task.to }, (onTable) =>
      checker.stage(path, task, onTable),
    );
    const found = await staging.catch((cause: unknown) => {
      if (isDiskFull(cause)) throw new NoSpace(directory, { bytes, outcome: nothingChanged, cause });
      return { faults: [messageOf(cause)] };
    });
    faults.push(...found.faults.map((fault) => `${path}: ${fault}`));
  };
  try {
    for (const file of files) {
      step?.("restore: stage one");
      await stage(file);
      progress.finished(file);
    }
    if (faults.length > 0) throw new Error([`The backup can't be restored. ${nothingChanged}`, ...faults].join("\n  "));
  } catch (error) {
    const names = files.map(({ to }) => to);
    await removeStaged(directory, names);
    throw error;
  }
}

/** Returns the schools whose copy may be older than what the copy of the control database says about them. */
function behindControl(control: string, { files }: Manifest): OrgId[] {
  const rows = new Map(files.map(({ database, audit_rows }) => [database, audit_rows]));
  const connection = openReadOnly(control);
  try {
    return connection
      .rows<[OrgId, number, number]>("select org_id, audit_seq, dirty from tenant_marks", [])
      .filter(([id, sealed, dirty]) => rows.has(id) && (dirty === 1 || sealed > (rows.get(id) ?? 0)))
      .map(([id]) => id);
  } finally {
    connection.close();
  }
}

const noteOf = ({ from, reason, by }: RestoreRequest, names: readonly string[], now: Date): RestoreNote => ({
  from,
  reason,
  by,
  kept: keptFolder(toInstant(now)),
  replaced: [...names],
  removed: [],
  unfinished: [],
  isPlaced: false,
});

const keptFolder = (at: Instant): string => `before-restore-${at.replace(/[:.]/g, "-")}`;

const databasesIn = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter(
    (name) => name === "control.db" || (name.endsWith(".db") && isId(name.slice(0, -".db".length))),
  );

interface SchoolOptions extends Pick<Options, "directory" | "checker" | "now" | "step" | "onProgress"> {
  orgId: OrgId;
  /** Closes the school's file, runs the work, and lets it be opened again. */
  whileClosed(id: OrgId, version: number, work: () => Promise<void>): Promise<void>;
}

/**
 * Restores one school's file in an open data directory. The caller then brings the school into agreement with the control database
 * (`modules/operations/finish-restore.ts`).
 *
 * @returns the folder that keeps the file before the restore
 * @throws NoSpace the disk is full; the file is as it was, or the message says what goes on
 * @throws Error   with a message for the operator; the file is as it was
 */
export const restoreSchool = (request: RestoreRequest, options: SchoolOptions): Promise<string | undefined> =>
  namingFullDisk(options.directory, () => restoreOne(request, options));

async function restoreOne(
  request: RestoreRequest,
  { orgId, whileClosed, ...options }: SchoolOptions,
): Promise<string | undefined> {
  const { from, force } = request;
  const { directory, now } = options;
  const manifest = await readFor(request);
  const file = manifest.files.find(({ database }) => database === orgId);
  if (file === undefined) throw new Error(`${from} has no copy of this school.`);
  const isReplaced = await isThere(tenantPath(directory, orgId));
  if (isReplaced && !force)
    throw new Error("The school has a file. Add --force to replace it; it is kept in a folder of the data directory.");
  const staged = stagedDatabase(file);
  await stageAll(request, [staged], options);
  const before = await readRestoreNote(directory);
  const unfinished = [...new Set([...(before?.unfinished ?? []), orgId])];
  const note: RestoreNote = { ...noteOf(request, [staged.to], now), unfinished };
  const alone = (work: () => Promise<void>) => whileClosed(orgId, file.schema_version, work);
  await replaceFiles(directory, note, { step: options.step, alone });
  return isReplaced ? join(directory, note.kept) : undefined;
}
