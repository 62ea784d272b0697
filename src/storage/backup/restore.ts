import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Instant, toInstant } from "../../core/clock.ts";
import { keyRing } from "../../core/crypto.ts";
import { isId, type OrgId } from "../../core/ids.ts";
import { openReadOnly } from "../check/check-file.ts";
import type { Checker } from "../check/checker.ts";
import type { Expected } from "../check/messages.ts";
import { lockDataDirectory } from "../data-lock.ts";
import { privateDirectory } from "../private-files.ts";
import { findSecret, secretName } from "../secret-key.ts";
import { tenantPath } from "../tenant-file.ts";
import { type CopiedFile, type Manifest, readManifest } from "./manifest.ts";
import {
  isThere,
  placeRestored,
  type RestoreNote,
  readRestoreNote,
  removeRestoreNote,
  writeRestoreNote,
} from "./restore-note.ts";

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
  /** Called before each step; tests kill the process there. */
  step?: (name: string) => void;
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
 * @throws Error with a message for the operator; the directory is as it was
 */
export async function restoreInstallation(request: RestoreRequest, options: Options): Promise<Restored> {
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
        "The backup was sealed with another secret than this installation's. Put the secret.key of the backup's installation in the data directory, or set its WINDSOCK_SECRET_KEY.",
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
    step("restore: begin");
    await removeRestoreNote(directory);
    await writeRestoreNote(directory, note);
    await placeRestored(directory, step);
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

/** @throws Error it is not complete, or is encrypted */
async function readFor({ from, identity }: RestoreRequest): Promise<Manifest> {
  const manifest = await readManifest(from);
  if (manifest.recipient !== null && identity === undefined)
    throw new Error(`The backup is encrypted to ${manifest.recipient}. Add --identity FILE.`);
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
  { directory, checker, step }: Pick<Options, "directory" | "checker" | "step">,
): Promise<void> {
  const faults: string[] = [];
  for (const { name, to, ...file } of files) {
    step?.("restore: stage one");
    const path = join(from, name);
    const task = { ...file, to: join(directory, `${to}.tmp`), ...(name.endsWith(".age") && { identity }) };
    const found = (await isThere(path))
      ? await checker.stage(path, task).catch((error: unknown) => ({
          faults: [error instanceof Error ? error.message : String(error)],
        }))
      : { faults: ["it is missing"] };
    faults.push(...found.faults.map((fault) => `${path}: ${fault}`));
  }
  if (faults.length === 0) return;
  for (const { to } of files) await rm(join(directory, `${to}.tmp`), { force: true });
  throw new Error(["The backup can't be restored. Nothing was changed.", ...faults].join("\n  "));
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

interface SchoolOptions extends Pick<Options, "directory" | "checker" | "now"> {
  orgId: OrgId;
  /** Closes the school's file, runs the work, and lets it be opened again. */
  whileClosed(id: OrgId, version: number, work: () => Promise<void>): Promise<void>;
}

/**
 * Restores one school's file in an open data directory. The caller then brings the school into agreement with the control database
 * (`modules/operations/finish-restore.ts`).
 *
 * @returns the folder that keeps the file before the restore
 * @throws Error with a message for the operator; the file is as it was
 */
export async function restoreSchool(
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
  await whileClosed(orgId, file.schema_version, async () => {
    await writeRestoreNote(directory, note);
    await placeRestored(directory);
  });
  return isReplaced ? join(directory, note.kept) : undefined;
}
