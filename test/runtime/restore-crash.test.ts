/** The end of a restore, which brings a school into agreement with the control database, is killed at each step. */
import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isId } from "../../src/core/ids.ts";
import { auditVerify } from "../../src/modules/operations/commands.ts";
import { restoreSchool } from "../../src/storage/backup/restore.ts";
import { readRestoreNote } from "../../src/storage/backup/restore-note.ts";
import { checkerInThisProcess } from "../../src/storage/check/checker.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { newInstallation } from "../support/installation.ts";
import { unexamined } from "../support/operator.ts";
import { expectStatus, newSchool } from "../support/school.ts";
import { atEachStep } from "./crash-steps.ts";
import { runJob } from "./crash-tasks.ts";

test("a restored school agrees with the control database after a kill at any step, when the job has run again", async () => {
  const [origin, place] = [
    await mkdtemp(join(tmpdir(), "windsock-crash-")),
    await mkdtemp(join(tmpdir(), "windsock-backups-")),
  ];
  const first = await newInstallation({ directory: origin });
  const { orgId, owner } = await newSchool(first);
  if (!isId<"organization">(orgId)) throw new Error(orgId);
  const { backups } = first.storage;
  const stopping = new AbortController().signal;
  const { path } = await backups.take({ place, keepIntents: async () => async () => undefined, stopping });
  expectStatus(200, await owner.patch("", { name: "Later" }));
  await first.close();
  const now = first.clock.now();
  const request = { from: path, force: true, reason: "A wrong import.", by: "olga" };
  const options = { directory: origin, checker: checkerInThisProcess, now, orgId };
  await restoreSchool(request, { ...options, whileClosed: (_id, _version, work) => work() });
  expect(await readFile(join(origin, "restore.json"), "utf8")).toContain(orgId);

  const over: boolean[] = [];
  await atEachStep(origin, runJob("finish-restore"), async (directory, isDone) => {
    // The last steps only record the run.
    const isOver = (await readRestoreNote(directory)) === undefined;
    over.push(isOver);
    if (isDone) expect(isOver).toBe(true);
    const at = await newInstallation({ directory, clock: first.clock });
    expect((await at.scheduler.runNow("finish-restore")).outcome).toBe(isOver ? "idle" : "succeeded");
    expect(await auditVerify.handle({ ...at, ...unexamined }, {})).toMatchObject({ ok: true });
    const [row] = await at.storage.tenants
      .tenant(orgId)
      .read((reader) => reader.select({ name: meta.name }).from(meta));
    expect([row?.name, await readRestoreNote(directory)]).toEqual(["Later", undefined]);
    await at.close();
  });
  expect(over).toEqual([...over].sort());
  // The log is accepted in both databases, and the name is told to the school.
  expect(over.filter((isOver) => !isOver).length).toBeGreaterThanOrEqual(4);
  for (const made of [origin, place]) await rm(made, { recursive: true, force: true });
}, 300_000);
