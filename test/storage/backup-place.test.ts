/** Where the directory of backups is made, and where not: below a mount that is missing, backups would fill the wrong disk. */
import { afterEach, expect, test } from "bun:test";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { examineBackups } from "../../src/modules/operations/doctor/examine-backups.ts";
import { newestBackupIn } from "../../src/modules/operations/newest-backup.ts";
import { cantWrite, makePlace } from "../../src/storage/backup/place-folder.ts";
import { newInstallation } from "../support/installation.ts";
import { take } from "./backed-up.ts";
import { newStorage } from "./storages.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

const refusalOf = async (place: string) =>
  take(await newStorage(), place).then(
    () => "made",
    (error: Error) => error.message,
  );

test("a backup makes the last folder of its path", async () => {
  expect(await refusalOf(join(await newDirectory(), "windsock"))).toBe("made");
});

test("a backup does not make the parents of its folder, and says which is missing and what to do", async () => {
  const root = await newDirectory();
  const place = join(root, "mnt", "backup", "windsock");
  const refusal = await refusalOf(place);
  expect(refusal).toContain(`There is no ${join(root, "mnt")}`);
  expect(refusal).toContain(`mkdir -p ${place}`);
  expect(await readdir(root)).toEqual([]);
});

test("a backup does not make its folder in an empty one where disks are mounted, since its disk is missing", async () => {
  const mounts = await newDirectory();
  const [disk, place] = [join(mounts, "backup"), join(mounts, "backup", "windsock")];
  await mkdir(disk);
  const refusal = await makePlace(place, [mounts]).catch((error: Error) => error.message);
  expect(refusal).toContain(`${disk} is empty`);
  expect(refusal).toContain(`mkdir ${place}`);
  expect(await isThere(place)).toBe(false);
  await writeFile(join(disk, "lost+found"), "");
  await makePlace(place, [mounts]);
  expect(await isThere(place)).toBe(true);
});

test("a place that can't be written to is named with what to do, and without the system's code", () => {
  const failed = (code: string) => Object.assign(new Error(`${code}: raw, mkdir '/mnt/x'`), { code, path: "/mnt/x" });
  const saidOf = (code: string) => {
    try {
      return cantWrite("/mnt/x", failed(code));
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  };
  for (const code of ["EACCES", "EROFS"]) expect(saidOf(code)).not.toContain(code);
  expect(saidOf("EACCES")).toContain("may not use /mnt/x");
  expect(saidOf("EROFS")).toContain("windsock install --systemd");
  expect(saidOf("ENOSPC")).toStartWith("ENOSPC"); // the caller says how much is needed
});

test("a backup to a file says that it is none", async () => {
  const place = join(await newDirectory(), "backups");
  await writeFile(place, "");
  expect(await refusalOf(place)).toContain(`${place} is a file`);
});

test("the job of the backups fails while the folder's disk is missing, and doctor says so", async () => {
  const place = join(await newDirectory(), "backup", "windsock");
  const at = await newInstallation({ env: { WINDSOCK_BACKUP_DIR: place } });
  expect(await at.scheduler.runNow("backup")).toMatchObject({
    outcome: "failed",
    summary: expect.stringContaining(`${place} can't be used: There is no ${dirname(place)}`),
  });
  const { clock, config, scheduler, storage, directory } = at;
  const [finding] = await examineBackups({
    ...{ clock, control: storage.control, tenants: storage.tenants, inspection: storage.inspection },
    ...{ backupSettings: config.backup, newestBackup: newestBackupIn(storage.backups, config.backup) },
    ...{ dataDirectory: directory, jobs: scheduler.jobs },
  });
  expect(finding).toMatchObject({ level: "error", code: "backups_missing", params: { path: place } });
  expect(finding?.message).toContain(`There is no ${dirname(place)}`);
});
