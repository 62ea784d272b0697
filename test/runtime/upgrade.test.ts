/** A real server after an upgrade, with files that an older program wrote. */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import { lastMigration, makeOlder, newStorage, newTenant, onFile } from "../storage/storages.ts";
import { cleanUp } from "../storage/temporary.ts";
import { endProcesses, newFolder, startServer } from "./processes.ts";

afterEach(endProcesses);
afterEach(cleanUp);

const seconds = (n: number) => n * 1000;

test(
  "after an upgrade, the server migrates all files without requests, but for one whose migration fails",
  async () => {
    const directory = join(await newFolder(), "data");
    const storage = await newStorage({ directory });
    const ids = [];
    for (let made = 0; made < 20; made += 1) ids.push(await newTenant(storage));
    await storage.close();
    await makeOlder(directory, ...ids);
    const [broken, ...others] = ids.map((id) => join(directory, `${id}.db`));
    if (broken === undefined) throw new Error("There is no school.");
    await onFile(broken, ...lastMigration);

    const server = await startServer({ WINDSOCK_DATA_DIR: directory });
    const [line] = await server.shows("stdout", /.*"job":"migrations","outcome".*/);
    server.interrupt();
    await server.ended;

    expect(JSON.parse(line)).toMatchObject({ outcome: "failed", summary: "Migrated 19 schools. 1 failed." });
    const versions = async (...paths: string[]) => {
      const rows = await Promise.all(paths.map((path) => onFile(path, "PRAGMA user_version")));
      return [...new Set(rows.flat(3))];
    };
    expect(await versions(...others)).toEqual([tenantMigrations.length]);
    expect(await versions(broken)).toEqual([tenantMigrations.length - 1]);
  },
  seconds(60),
);
