/** What the job of the backups says, and what the command refuses. */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { days } from "../../../src/core/clock.ts";
import { backup, jobsRun } from "../../../src/modules/operations/commands.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { newInstallation } from "../../support/installation.ts";
import { order } from "../../support/suspending.ts";

test("a backup says how many old ones it has removed, if it has", async () => {
  const place = await mkdtemp(join(tmpdir(), "windsock-backups-"));
  afterThisTest(() => rm(place, { recursive: true }));
  const at = await newInstallation({ env: { WINDSOCK_BACKUP_DIR: place, WINDSOCK_BACKUP_KEEP: "2" } });
  const endings: (string | undefined)[] = [];
  for (let day = 0; day < 3; day += 1) {
    const { outcome, summary } = await at.scheduler.runNow("backup");
    expect(outcome).toBe("succeeded");
    endings.push(summary.split("unchanged.")[1]);
    at.clock.advance(days(1));
  }
  expect(endings).toEqual(["", "", " Removed 1 old backup."]);
});

test("where no backups are configured, the commands that need a place refuse, and nothing has run", async () => {
  const at = await newInstallation();
  const refused = { code: "BAD_REQUEST", message: expect.stringContaining("windsock backup --to DIR") };
  await expect(order(at, backup, {})).rejects.toMatchObject(refused);
  for (const name of ["backup", "backup-drill"])
    await expect(order(at, jobsRun, { name })).rejects.toMatchObject(refused);
});
