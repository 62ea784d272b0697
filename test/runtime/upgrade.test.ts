/** A real server after an upgrade: one more migration than the program that wrote the files. */
import { afterEach, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import { addition, newStorage, newTenant, onFile } from "../storage/storages.ts";
import { cleanUp } from "../storage/temporary.ts";
import { bundled } from "./bundle.ts";
import { endProcesses, newFolder, startServer } from "./processes.ts";
import { type Runtime, root } from "./runtimes.ts";

afterEach(endProcesses);
afterEach(cleanUp);

const seconds = (n: number) => n * 1000;

/** This program with one more migration of schools. */
async function newerProgram(): Promise<Runtime> {
  const plugin: BunPlugin = {
    name: "newer",
    setup: (build) =>
      void build.onLoad({ filter: /migrations\/tenant\/index\.ts$/ }, async ({ path }) => ({
        contents: (await readFile(path, "utf8")).replace(/,?\s*\];/, `, ${JSON.stringify(addition)}];`),
        loader: "ts",
      })),
  };
  return { command: [process.execPath, await bundled(join(root, "src/main.ts"), plugin)] };
}

test(
  "after an upgrade, the server migrates all files without requests, but for one whose migration fails",
  async () => {
    const directory = join(await newFolder(), "data");
    const storage = await newStorage({ directory });
    const ids = [];
    for (let made = 0; made < 20; made += 1) ids.push(await newTenant(storage));
    await storage.close();
    const [broken, ...others] = ids.map((id) => join(directory, `${id}.db`));
    if (broken === undefined) throw new Error("There is no school.");
    await onFile(broken, addition);

    const server = await startServer({ WINDSOCK_DATA_DIR: directory }, await newerProgram());
    const [line] = await server.shows("stdout", /.*"job":"migrations".*"outcome".*/);
    server.interrupt();
    await server.ended;

    expect(JSON.parse(line)).toMatchObject({ outcome: "failed", summary: "Migrated 19 schools. 1 failed." });
    const versions = async (...paths: string[]) => {
      const rows = await Promise.all(paths.map((path) => onFile(path, "PRAGMA user_version")));
      return [...new Set(rows.flat(3))];
    };
    expect(await versions(...others)).toEqual([tenantMigrations.length + 1]);
    expect(await versions(broken)).toEqual([tenantMigrations.length]);
  },
  seconds(60),
);
