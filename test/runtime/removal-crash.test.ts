/** A suspension and a removal that are killed at any step are completed by the next start, or have not begun. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { isId } from "../../src/core/ids.ts";
import { organizations } from "../../src/identity/identity.tables.ts";
import { findSuspension } from "../../src/modules/organizations/operator/suspend-organization.ts";
import { checkerInThisProcess } from "../../src/storage/check/checker.ts";
import { intents } from "../../src/storage/shared.tables.ts";
import { suspendedSince } from "../../src/storage/suspended.ts";
import { type Installation, newInstallation } from "../support/installation.ts";
import { expectStatus, newSchool, type School } from "../support/school.ts";
import { remove, resume, suspend } from "../support/suspending.ts";
import { afterKill } from "./after-kill.ts";
import { atEachStep, closeFiles, type Task } from "./crash-steps.ts";
import { runJob } from "./crash-tasks.ts";

const idOf = ({ orgId }: School) => {
  if (!isId<"organization">(orgId)) throw new Error(orgId);
  return orgId;
};

interface Crash {
  prepare(school: School<Installation>): Promise<unknown>;
  task(school: School): Task;
  isDone(restarted: Installation, school: School, directory: string): Promise<boolean>;
  /** Also in a process of its own, which is killed at these steps. */
  kills?: { job: string; steps: readonly string[] };
}

/** Cuts the power at each step. @returns how often the restarted installation said that it was done, and how often not */
async function crashing({ prepare, task, isDone, kills }: Crash): Promise<boolean[]> {
  const origin = await mkdtemp(join(tmpdir(), "windsock-crash-"));
  const before = await newInstallation({ directory: origin });
  const school = await newSchool(before);
  await prepare(school);
  await closeFiles(before, origin);
  const done: boolean[] = [];
  const isDoneIn = async (directory: string) => {
    const restarted = await newInstallation({ directory, clock: before.clock });
    const is = await isDone(restarted, school, directory);
    await restarted.close();
    return is;
  };
  await atEachStep(origin, task(school), async (directory, isAcknowledged) => {
    const is = await isDoneIn(directory);
    if (isAcknowledged) expect(is).toBe(true);
    done.push(is);
  });
  for (const step of kills?.steps ?? [])
    await afterKill(origin, { task: "job", argument: kills?.job ?? "", step }, async (directory) => {
      expect(await isDoneIn(directory)).toBe(false);
    });
  // Once it is done, later steps do not undo it.
  expect(done).toEqual([...done].sort());
  await rm(origin, { recursive: true, force: true });
  return done;
}

test.each(["suspend", "resume"] as const)(
  "a school that is killed at any step of %s is so in both databases, or in neither",
  async (name) => {
    const done = await crashing({
      prepare: (school) => (name === "resume" ? suspend(school) : Promise.resolve()),
      task:
        ({ orgId }) =>
        (installation) =>
          (name === "suspend" ? suspend : resume)({ installation, orgId }),
      async isDone({ storage }, school) {
        const suspension = await storage.control.read((reader) => findSuspension(reader, idOf(school)));
        const inFile = await storage.tenants.tenant(idOf(school)).read(suspendedSince);
        expect(inFile).toBe(suspension?.suspended_at ?? null);
        expect(await storage.control.read((reader) => reader.$count(intents))).toBe(0);
        return (suspension !== undefined) === (name === "suspend");
      },
    });
    expect(new Set(done)).toEqual(new Set([false, true]));
  },
  300_000,
);

test("a removal that is killed at any step is finished by the job at the next start, and its backup is whole", async () => {
  const job = "organization-removal";
  const hasBegun = await crashing({
    async prepare(school) {
      const { name } = expectStatus(200, await school.owner.get("")).body.data;
      await remove(school, { confirm: name, grace: "0d" });
    },
    task: () => runJob(job),
    // The first has begun the removal; then the file is gone, and control has its rows still.
    kills: { job, steps: ["control: committed", "tenant file: removed"] },
    async isDone(restarted, school, directory) {
      const { scheduler, storage, logged } = restarted;
      const left = await storage.control.read((reader) =>
        reader.$count(organizations, eq(organizations.id, idOf(school))),
      );
      restarted.clock.advance(1); // the name of a backup is its time
      const run = await scheduler.runNow(job);
      expect([run.outcome, logged.filter((line) => /"level":(50|"error")/.test(line))]).toEqual([
        left > 0 ? "succeeded" : "idle",
        [],
      ]);
      expect(await storage.control.read((reader) => reader.$count(organizations))).toBe(0);
      expect((await readdir(directory)).filter((file) => file.startsWith(school.orgId))).toEqual([]);
      const backups = (await readdir(join(directory, "backups"))).filter((file) => !file.startsWith("."));
      expect(backups.length).toBeGreaterThan(0);
      for (const backup of backups) {
        const copy = join(directory, "backups", backup, `${school.orgId}.db`);
        expect(existsSync(copy)).toBe(true);
        const expected = { kind: "tenant", orgId: idOf(school), isNew: false } as const;
        expect((await checkerInThisProcess.check(copy, expected)).faults).toEqual([]);
      }
      return left === 0;
    },
  });
  // Before and after each of three transactions, and without the file.
  expect(hasBegun.length).toBeGreaterThanOrEqual(5);
}, 300_000);
