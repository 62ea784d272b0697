/** `bun run start`: the sources are bundled, and started from the bundle until one of them is another. */
import { afterEach, expect, test } from "bun:test";
import { appendFile, cp, mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { endProcesses, newFolder, run, startServer, stop, urlOf } from "./processes.ts";
import { type Runtime, root } from "./runtimes.ts";

afterEach(endProcesses);

/** A copy of the sources. */
async function newSources(): Promise<{ folder: string; runtime: Runtime; bundles(): Promise<string[]> }> {
  const folder = await newFolder();
  for (const name of ["src", "scripts", "migrations", "docs", "tenants/README.md", "package.json", "bun.lock"])
    await cp(join(root, name), join(folder, name), { recursive: true, preserveTimestamps: true });
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  return {
    folder,
    runtime: { command: [process.execPath, join(folder, "scripts/start.ts")] },
    bundles: () => readdir(join(folder, "dist/start")),
  };
}

test("a bundle is made at the first start, serves all, and is made anew when a source has changed; the one before stays", async () => {
  const { folder, runtime, bundles } = await newSources();
  const server = await startServer({}, runtime);
  const url = await urlOf(server);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  // The console is in it, and so is what the server loads when it is needed.
  const page = await (await fetch(`${url}/app`)).text();
  const [script = ""] = /\/assets\/main\.\w+\.js/.exec(page) ?? [];
  expect((await fetch(url + script)).status).toBe(200);
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
  expect((await stop(server)).code).toBe(0);
  const first = await bundles();
  expect(first).toHaveLength(1);

  // What the bundle does is not what the sources say, so that it shows which of them runs.
  const [made = ""] = first;
  const entry = join(folder, "dist/start", made, "main.js");
  await writeFile(entry, `console.error("of the bundle");\n${await readFile(entry, "utf8")}`);
  const env = { WINDSOCK_DATA_DIR: server.directory };
  // It starts itself, too, to read files that may be damaged.
  expect(await run(["check"], { env, runtime })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("of the bundle"),
  });

  const older = join(folder, "dist/start/older");
  await mkdir(older);
  await utimes(older, 0, 0);
  await appendFile(join(folder, "src/main.ts"), "\n");
  expect(await run(["--help"], { env, runtime })).toMatchObject({ code: 0, stderr: "" });
  expect(await bundles()).toHaveLength(2);
  expect(await bundles()).toContain(made);
});

test("where no bundle can be made, the sources are started, and it says why", async () => {
  const { folder, runtime } = await newSources();
  await writeFile(join(folder, "dist"), "a file");
  const { code, stdout, stderr } = await run(["--help"], { runtime });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("can't be bundled:") });
  expect(stdout).toContain("USAGE windsock");
});
