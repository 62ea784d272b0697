import { expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newInstallation } from "../support/installation.ts";
import { newSchool } from "../support/school.ts";

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test("only the owner can read the data directory, also if it had another mode before", async () => {
  const parent = await mkdtemp(join(tmpdir(), "windsock-modes-"));
  const directory = join(parent, "tenants");
  await mkdir(directory, { mode: 0o755 });
  await chmod(directory, 0o755);
  await writeFile(join(directory, "lock.db"), "", { mode: 0o644 });

  const installation = await newInstallation({ directory });
  await newSchool(installation);

  expect(await modeOf(directory)).toBe("700");
  for (const name of await readdir(directory))
    expect([name, await modeOf(join(directory, name))]).toEqual([name, "600"]);
  await installation.close();
  await rm(parent, { recursive: true });
});

test("a school's file that was restored with another mode is private from when it is opened, with its other files", async () => {
  const directory = await mkdtemp(join(tmpdir(), "windsock-modes-"));
  const first = await newInstallation({ directory });
  const school = await newSchool(first);
  await first.close();
  const path = join(directory, `${school.orgId}.db`);
  for (const suffix of ["-wal", "-shm"]) await rm(`${path}${suffix}`, { force: true });
  await chmod(path, 0o644);

  const installation = await newInstallation({ directory, clock: first.clock });
  const { token } = school.owner;
  const body = { name: "Otto", types: ["pilot"] };
  expect((await installation.call("POST", `/orgs/${school.orgId}/people`, { token, body })).status).toBe(201);
  const names = (await readdir(directory)).filter((name) => name.startsWith(school.orgId));
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) expect([name, await modeOf(join(directory, name))]).toEqual([name, "600"]);
  await installation.close();
  await rm(directory, { recursive: true });
});
