/** Schools that move, by processes that end at each of their steps. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { users } from "../../src/identity/identity.tables.ts";
import { auditVerify } from "../../src/modules/operations/commands.ts";
import { adopted, exported, newFolder, newPlace, removeFolders } from "../http/moving/moves.ts";
import { type Installation, newInstallation } from "../support/installation.ts";
import { unexamined } from "../support/operator.ts";
import { expectStatus, newSchool, password } from "../support/school.ts";
import { afterKill } from "./after-kill.ts";
import { atEachStep, closeFiles } from "./crash-steps.ts";
import { adopt, exportSchool, rebuild } from "./crash-tasks.ts";
import { endProcesses, run } from "./processes.ts";

afterAll(removeFolders);
afterEach(endProcesses);

const filesOf = async (directory: string) =>
  (await readdir(directory)).filter((name) => /^[0-9a-f-]{36}\.|^adopting/.test(name) && !/-(wal|shm)$/.test(name));

/** An installation without schools, whose files are complete. */
async function emptyPlace(): Promise<string> {
  const origin = await newFolder();
  await closeFiles(await newInstallation({ directory: origin }), origin);
  return origin;
}

const hasAccounts = async (at: Installation) => (await at.storage.control.read((reader) => reader.$count(users))) > 0;

async function expectWhole(at: Installation, orgId: string, token: string): Promise<void> {
  const people = expectStatus(200, await at.call("GET", `/orgs/${orgId}/people`, { token })).body.data;
  expect(people).toHaveLength(3);
  expect(await auditVerify.handle({ ...at, ...unexamined }, {})).toMatchObject({ ok: true });
  const log = await at.call("GET", `/orgs/${orgId}/audit-log?action=organization.adopted`, { token });
  expect(expectStatus(200, log).body.data).toHaveLength(1);
}

const signIn = async (at: Installation, email: string): Promise<string> =>
  expectStatus(200, await at.call("POST", "/auth/login", { body: { email, password } })).body.access_token;

test("an adoption killed at any step leaves nothing of the school or everything, and an acknowledged one always", async () => {
  const first = await newPlace();
  const { orgId, owner } = await newSchool(first);
  const file = await exported(first, orgId);
  const outcomes: string[] = [];
  const check = async (directory: string, isAcknowledged: boolean) => {
    const at = await newInstallation({ directory });
    const isThere = await hasAccounts(at);
    outcomes.push(isThere ? "everything" : "nothing");
    expect(isThere || !isAcknowledged).toBe(true);
    expect(await filesOf(directory)).toEqual(isThere ? [`${orgId}.db`] : []);
    if (outcomes.length === 1) await adopted(at, file);
    if (await hasAccounts(at)) await expectWhole(at, orgId, await signIn(at, owner.email));
    await at.close();
  };
  const origin = await emptyPlace();
  const steps = await atEachStep(origin, adopt(file), check);
  expect(new Set(outcomes).size).toBe(2);
  // The file checked and staged; the transaction; placed and on the disk; the intent in the school's file.
  expect(steps).toBeGreaterThanOrEqual(10);
  // It has committed the organization, and its file has not its name yet.
  const kill = { task: "adopt", argument: file, step: "adoption: place" } as const;
  await afterKill(origin, kill, (directory) => check(directory, false));
  expect(outcomes.at(-1)).toBe("everything");
}, 300_000);

/** In a process of its own: this one keeps files open until their statements are collected. */
async function rebuildAgain(directory: string, orgId: string, owner: string): Promise<void> {
  const copy = await newFolder();
  await cp(directory, copy, { recursive: true });
  const { code, stdout } = await run(["control", "rebuild", "--owner", owner], { env: { WINDSOCK_DATA_DIR: copy } });
  expect([code, stdout]).toEqual([0, expect.stringContaining(`is adopted: ${orgId}`)]);
}

test("`control rebuild` killed at any step leaves the file as it was or adopted, and can be repeated", async () => {
  const first = await newPlace();
  const { orgId, owner } = await newSchool(first);
  await closeFiles(first, first.directory);
  const origin = await emptyPlace();
  await cp(join(first.directory, `${orgId}.db`), join(origin, `${orgId}.db`));
  const outcomes: string[] = [];
  const check = async (directory: string, isAcknowledged: boolean) => {
    if (outcomes.length === 0) await rebuildAgain(directory, orgId, owner.email);
    const at = await newInstallation({ directory });
    const isThere = await hasAccounts(at);
    outcomes.push(isThere ? "everything" : "nothing");
    expect(isThere || !isAcknowledged).toBe(true);
    expect(await filesOf(directory)).toEqual([`${orgId}.db`]);
    if (isThere) {
      expectStatus(200, await at.call("POST", "/auth/password/forgot", { body: { email: owner.email } }));
      const token = /#reset=([\w-]+)/.exec(at.mails.at(-1)?.text ?? "")?.[1];
      expectStatus(200, await at.call("POST", "/auth/password/reset", { body: { token, password } }));
      await expectWhole(at, orgId, await signIn(at, owner.email));
    }
    await at.close();
  };
  const steps = await atEachStep(origin, rebuild(owner.email), check);
  expect(new Set(outcomes)).toEqual(new Set(["nothing", "everything"]));
  expect(steps).toBeGreaterThanOrEqual(10);
  const kill = { task: "rebuild", argument: owner.email, step: "adoption: place" } as const;
  await afterKill(origin, kill, (directory) => check(directory, false));
}, 300_000);

test("an export killed at any step leaves the whole file or none, and the school as it was", async () => {
  const first = await newPlace();
  const { orgId, owner } = await newSchool(first);
  await closeFiles(first, first.directory);
  const outcomes: string[] = [];
  let whole = Buffer.alloc(0);
  const check = async (directory: string, isAcknowledged: boolean) => {
    const at = await newInstallation({ directory });
    // Nothing is left of the copy.
    expect(await filesOf(directory)).toEqual([`${orgId}.db`]);
    const made = (await readdir(directory)).includes("school.age");
    outcomes.push(made ? "everything" : "nothing");
    expect(made || !isAcknowledged).toBe(true);
    if (made) whole = await readFile(join(directory, "school.age"));
    const token = await signIn(at, owner.email);
    expect(expectStatus(200, await at.call("GET", `/orgs/${orgId}/people`, { token })).body.data).toHaveLength(3);
    await at.close();
  };
  await atEachStep(first.directory, exportSchool(orgId), check);
  expect(new Set(outcomes)).toEqual(new Set(["nothing", "everything"]));
  // It has the whole file, under another name.
  const kill = { task: "export", argument: orgId, step: "export: sealed" } as const;
  await afterKill(first.directory, kill, (directory) => check(directory, false));
  const file = join(await newFolder(), "school.age");
  await writeFile(file, whole);
  expect(await adopted(await newPlace(), file)).toMatchObject({ organization_id: orgId, members: 3 });
}, 300_000);
