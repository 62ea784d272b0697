/** The folder that the operator names for backups: whether it is there, or may be made. */
import { mkdir, readdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Problem } from "../../core/errors.ts";
import { systemMessage } from "../../core/system-error.ts";
import { isDiskFull } from "../sqlite-error.ts";

export const nothingMade = "There is no new backup; earlier ones are complete.";

/** Where disks are mounted by custom (FHS 3.0; macOS). An empty folder there is one whose disk is missing. */
const forMounts = ["/mnt", "/media", "/run/media", "/Volumes"];

/**
 * Makes the folder if its parent is there. A missing parent, or one that waits for its disk, is none: the backups would fill the disk
 * below.
 *
 * @param mounts folders in which disks are mounted
 * @throws CONFLICT with what to do
 */
export async function makePlace(place: string, mounts: readonly string[] = forMounts): Promise<void> {
  const fault = await placeFault(place, mounts);
  if (fault !== undefined) throw new Problem("CONFLICT", `${place} can't be used: ${fault} ${nothingMade}`);
  await mkdir(place, { mode: 0o700 }).catch((cause: unknown) => {
    if (codeOf(cause) !== "EEXIST") cantWrite(place, cause);
  });
}

/** Returns why backups can't be put there, and what to do; undefined if they can, as far as that can be seen without writing. */
export async function placeFault(place: string, mounts: readonly string[] = forMounts): Promise<string | undefined> {
  const present = await statsOf(place);
  if (present?.isDirectory()) return undefined;
  if (present !== undefined) return `${place} is a file, and not a directory.`;
  const parent = dirname(place);
  const above = await statsOf(parent);
  if (above === undefined)
    return `There is no ${await firstMissing(parent)}. If it is on another disk, mount that. Otherwise make the directory (mkdir -p ${place}).`;
  if (!mounts.some((folder) => parent === folder || parent.startsWith(`${folder}/`))) return undefined;
  const isMounted = (await statsOf(dirname(parent)))?.dev !== above.dev;
  if (isMounted || !(await isEmpty(parent))) return undefined;
  return `${parent} is empty, and no disk is mounted there. Mount it, or make the directory (mkdir ${place}).`;
}

const statsOf = (path: string) => stat(path).catch(() => undefined);

async function firstMissing(path: string): Promise<string> {
  const parent = dirname(path);
  return parent === path || (await statsOf(parent)) !== undefined ? path : firstMissing(parent);
}

/** A folder that can't be listed may have anything in it. */
const isEmpty = (path: string): Promise<boolean> =>
  readdir(path).then(
    (names) => names.length === 0,
    () => false,
  );

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** A service may write only where its unit allows it. */
export function cantWrite(place: string, cause: unknown): never {
  const fault = isDiskFull(cause) ? undefined : systemMessage(cause, place);
  if (fault === undefined) throw cause;
  const hint =
    codeOf(cause) === "EROFS" ? " `windsock install --systemd` does that for WINDSOCK_BACKUP_DIR of the service." : "";
  throw new Problem("CONFLICT", `${fault}${hint} ${nothingMade}`, { cause });
}
