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
