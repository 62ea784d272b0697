/** The directory of backups: one directory each, named by its time, so that the names sort by age. */
import { copyFile, link, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { days, type Instant, shift } from "../../core/clock.ts";
import { type Manifest, readManifest } from "./manifest.ts";

/** `2026-06-14T03-11-00-000Z`, and the organization of a backup of one only. */
const complete = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z(-[0-9a-f-]{36})?$/;

export const nameOf = (at: Instant, organization: string | undefined): string =>
  `${at.replace(/[:.]/g, "-")}${organization === undefined ? "" : `-${organization}`}`;

/** A directory that is not complete, or no more. It has the id of the installation's key, because installations may share a place. */
export const partialName = (keyId: string, name: string): string => `.partial-${keyId}-${name}`;

/** Removes what earlier runs of this installation have left. */
export async function removePartial(place: string, keyId: string): Promise<void> {
  for (const name of await readdir(place))
    if (name.startsWith(partialName(keyId, ""))) await rm(join(place, name), { recursive: true, force: true });
}

export interface Backup {
  path: string;
  name: string;
  manifest: Manifest;
}

type Installation = Pick<Manifest, "key_id" | "installation">;

/** Returns the complete backups of an installation, newest first. Other directories are left alone. */
export async function backupsOf(place: string, of: Installation): Promise<Backup[]> {
  const found: Backup[] = [];
  for (const name of await namesIn(place)) {
    const backup = await readBackup(place, name, of);
    if (backup !== undefined) found.push(backup);
  }
  return found;
}

/**
 * Returns the newest complete backup of a whole installation.
 *
 * @param known the result of an earlier call, which is not read again: a manifest of thousands of schools is large
 */
export async function newestBackup(place: string, of: Installation, known?: Backup): Promise<Backup | undefined> {
  for (const name of await namesIn(place)) {
    if (known?.path === join(place, name)) return known;
    const backup = await readBackup(place, name, of);
    if (backup?.manifest.organization === null) return backup;
  }
  return undefined;
}

/** Newest first. */
async function namesIn(place: string): Promise<string[]> {
  const names = await readdir(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names
    .filter((name) => complete.test(name))
    .sort()
    .reverse();
}

/** Returns undefined if it is no backup of this installation. */
async function readBackup(place: string, name: string, of: Installation): Promise<Backup | undefined> {
  const path = join(place, name);
  const manifest = await readManifest(path).catch(() => undefined);
  if (manifest?.key_id !== of.key_id || manifest.installation !== of.installation) return undefined;
  return { path, name, manifest };
}

/** How many backups are kept. One stays while either says so; without both, all do. */
export interface Keep {
  /** The newest. */
  count?: number | undefined;
  /** In days. */
  age?: number | undefined;
}

/**
 * Removes old backups of the whole installation. The newest always stays, and so do backups of one organization, which an
 * operator has asked for.
 *
 * @param all newest first
 * @returns how many
 */
export async function removeOld(
  place: string,
  all: readonly Backup[],
  { keep, now }: { keep: Keep; now: Date },
): Promise<number> {
  const whole = all.filter(({ manifest }) => manifest.organization === null);
  const oldest = keep.age === undefined ? undefined : shift(now, -days(keep.age));
  const isYoung = ({ manifest }: Backup) => oldest !== undefined && manifest.started_at >= oldest;
  const isUnlimited = keep.count === undefined && keep.age === undefined;
  const old = isUnlimited ? [] : whole.slice(Math.max(1, keep.count ?? 0)).filter((backup) => !isYoung(backup));
  for (const { path, name, manifest } of old) {
    // At once: a directory that is half removed must not look like a backup.
    const partial = join(place, partialName(manifest.key_id, name));
    await rename(path, partial);
    await rm(partial, { recursive: true, force: true });
  }
  return old.length;
}

/** Where files can't have two names. */
const cantLink = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "EXDEV", "EMLINK", "ENOSYS"]);

/** Gives a file of an earlier backup a second name in a new one, or copies it where the file system has no links. */
export async function share(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (!cantLink.has(error.code ?? "")) throw error;
    await copyFile(from, to);
    await syncPath(to);
  });
}

/** Waits until a file or the names in a folder are on the disk. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
