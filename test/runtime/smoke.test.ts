import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import program from "../../package.json" with { type: "json" };
import { createEInvoices } from "../../src/modules/finance/documents/e-invoice.ts";
import { eInvoiceArgument } from "../../src/runtime/own-program.ts";
import { executablePath } from "../console/browser.ts";
import { eInvoice, makerOf } from "../support/installation.ts";
import { hasPebble, startPebble } from "../support/pebble.ts";
import { flight, invoiceOf } from "../unit/finance/invoices.ts";
import { playAFirstStart } from "./acme-story.ts";
import { playTheBackups } from "./backup-story.ts";
import { playTheConsole } from "./console-story.ts";
import { builtExecutable } from "./executable.ts";
import { playTheMove } from "./moving-story.ts";
import { endProcesses, run, startServer, urlOf } from "./processes.ts";
import { bunFromSource, denoFromSource, isLinuxX64, type Runtime, root } from "./runtimes.ts";
import { playTheStory } from "./story.ts";
import { playTheTraces } from "./trace-story.ts";

let directory = "";
beforeAll(async () => {
  // Not in memory: Deno rejects files in /dev, and programs may not be run from there.
  directory = await mkdtemp("/tmp/windsock-smoke-");
});
afterEach(endProcesses);
afterAll(() => rm(directory, { recursive: true, force: true }));

const seconds = (n: number) => n * 1000;

// Its backups: `backup.test.ts`.
test("the story, on Bun from source", () => playTheStory(bunFromSource, join(directory, "bun")), seconds(180));

describe.skipIf(!isLinuxX64)("on Linux x64", () => {
  test(
    "the story and its backups, on Deno from source",
    async () => playTheBackups(denoFromSource, await playTheStory(denoFromSource, join(directory, "deno"))),
    seconds(180),
  );

  test(
    "a request and its webhook are one trace, on Deno from source",
    () => playTheTraces(denoFromSource, directory),
    seconds(180),
  );

  test(
    "Ctrl-C, which deno task passes on to a server that has it already, lets the server end in good order",
    async () => {
      const server = await startServer({ WINDSOCK_DATA_DIR: join(directory, "interrupted") }, denoFromSource);
      await urlOf(server);
      server.interrupt();
      expect(await server.ended).toBe(0);
    },
    seconds(180),
  );

  let executable: Runtime;
  let home = "";
  beforeAll(async () => {
    const file = await builtExecutable(join(directory, "program"));
    home = join(directory, "empty");
    await mkdir(home);
    executable = { command: [file], cwd: home };
  }, seconds(300)); // it is built twice

  test(
    "the story and its backups, by the executable, with nothing but itself",
    async () => {
      // Without this tree, a home directory and an installed Bun.
      const env = { PATH: "/nonexistent", HOME: home, BUN_INSTALL: home, NODE_PATH: "" };
      await playTheBackups(executable, await playTheStory(executable, join(directory, "executable"), env));
      expect(await readdir(home)).toEqual([]);
    },
    seconds(180),
  );

  test(
    "a school of Deno moves to the executable, and one of the executable to Deno",
    async () => {
      const deno = { runtime: denoFromSource, directory: join(directory, "deno") };
      const compiled = { runtime: executable, directory: join(directory, "executable") };
      const move = { folder: directory, owner: "olga@example.com" };
      await playTheMove(deno, compiled, move);
      await playTheMove(compiled, deno, move);
    },
    seconds(180),
  );

  test.skipIf(!hasPebble)(
    "a first start with a certificate by ACME, by the executable",
    async () => {
      await using pebble = await startPebble();
      await playAFirstStart(pebble, join(directory, "acme"), executable);
    },
    seconds(180),
  );

  test("a request and its webhook are one trace, by the executable", () => playTheTraces(executable), seconds(180));

  interface Program {
    runtime: Runtime;
    env?: Record<string, string>;
  }

  /** The executable in an empty folder, run by a user who owns nothing else. */
  const unprivileged = async (): Promise<Program> => {
    const cwd = join(directory, "nobody");
    const env = { HOME: cwd, TMPDIR: "/tmp", WINDSOCK_DATA_DIR: join(cwd, "data") };
    await mkdir(cwd, { recursive: true });
    if (process.getuid?.() !== 0) return { runtime: { ...executable, cwd }, env };
    const nobody = 65_534;
    await chmod(directory, 0o755);
    await chown(cwd, nobody, nobody);
    const command = [
      "setpriv",
      `--reuid=${nobody}`,
      `--regid=${nobody}`,
      "--clear-groups",
      ...executable.command,
    ] as const;
    return { runtime: { command: [...command], cwd }, env };
  };

  test.skipIf(process.getuid?.() !== 0)("a command of another account says whose it must be", async () => {
    const { runtime, env } = await unprivileged();
    const others = join(directory, "executable");
    const { code, stderr } = await run(["org", "list"], { runtime, env: { ...env, WINDSOCK_DATA_DIR: others } });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`This account may not use ${others}.`)]);
  });

  const denoWithConsole = async (): Promise<Program> => {
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, join(root, "scripts/build-console.ts")]);
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
    return { runtime: denoFromSource, env: { WINDSOCK_DATA_DIR: join(directory, "deno-console") } };
  };

  // From source on Bun: `test/console/first-hour.test.ts`.
  describe.skipIf(executablePath === null)("the console in Chromium", () => {
    test.each([
      ["the executable, as an unprivileged user", unprivileged],
      ["Deno from source, after `bun run build:console`", denoWithConsole],
    ] as const)(
      "served by %s",
      async (_, programOf) => {
        const { runtime, env } = await programOf();
        await playTheConsole(await urlOf(await startServer(env, runtime)));
      },
      seconds(120),
    );
  });

  test("the executable reads its configuration from the environment only, not from files in its working directory", async () => {
    await writeFile(join(home, ".env"), "WINDSOCK_PORT=nonsense\n");
    await writeFile(join(home, "bunfig.toml"), 'preload = ["./nonsense.ts"]\n');
    expect(
      await run(["audit", "verify"], {
        runtime: executable,
        env: { WINDSOCK_DATA_DIR: join(directory, "executable") },
      }),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^control: \d+ rows, ok\n/),
    });
    await rm(join(home, ".env"));
    await rm(join(home, "bunfig.toml"));
  });

  test(
    "the executable makes e-invoices, with nothing but itself",
    async () => {
      const make = makerOf(createEInvoices({ file: executable.command[0], args: [eInvoiceArgument] }));
      const invoice = invoiceOf([flight]);
      expect(Buffer.from(await make(invoice, "xrechnung"))).toEqual(Buffer.from(await eInvoice(invoice, "xrechnung")));
      expect(Buffer.from(await make(invoice, "factur-x")).toString()).toStartWith("%PDF-1.");
    },
    seconds(180),
  );

  test("the executable prints its version and its commands", async () => {
    expect(await run(["--version"], { runtime: executable })).toMatchObject({
      code: 0,
      stdout: `${program.version}\n`,
    });
    expect(await run(["--help"], { runtime: executable })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/USAGE windsock .*serve/),
    });
  });

  describe("the executable's native libraries", () => {
    const uid = process.getuid?.() ?? 0;
    /** Runs a command that needs them. @returns what ended, and the files that the folders below `BUN_TMPDIR` have */
    const unpackedBy = async (below: string) => {
      const ended = await run(["--version"], { runtime: executable, env: { BUN_TMPDIR: below } });
      const folders = await readdir(below);
      const files = await Promise.all(folders.sort().map(async (name) => (await readdir(join(below, name))).sort()));
      return { ended, folders, files };
    };
    const both = [expect.stringMatching(/^argon2-\w{64}\.node$/), expect.stringMatching(/^libsql-\w{64}\.node$/)];
    const inNewFolder = (name: string) => mkdir(join(directory, name)).then(() => join(directory, name));

    test("are unpacked by the first start, and used by the next ones; one that is not whole is replaced", async () => {
      const below = await inNewFolder("libraries");
      const { ended, folders, files } = await unpackedBy(below);
      expect([ended.code, ...folders]).toEqual([0, `windsock-${uid}`]);
      const [argon2 = "", libsql = ""] = (files[0] ?? []).map((name) => join(below, `windsock-${uid}`, name));
      const [unchanged, whole] = [await stat(argon2), await stat(libsql)];
      await truncate(libsql, 4096);
      const again = await unpackedBy(below);
      expect([again.ended.code, ...again.files]).toEqual([0, both]);
      expect((await stat(argon2)).mtimeMs).toBe(unchanged.mtimeMs);
      expect((await stat(libsql)).size).toBe(whole.size);
    });

    test("are unpacked by several that start at once", async () => {
      const below = await inNewFolder("at-once");
      const all = await Promise.all([1, 2, 3].map(() => unpackedBy(below)));
      expect(all.map(({ ended }) => ended.code)).toEqual([0, 0, 0]);
      expect(await unpackedBy(below)).toMatchObject({ files: [both] });
    });

    test.each([
      ["that others may write to", (folder: string) => mkdir(folder).then(() => chmod(folder, 0o777))],
      ["that is a link to another", (folder: string) => symlink(directory, folder)],
    ])("are not taken from a folder %s", async (what, prepare) => {
      const below = await inNewFolder(`taken, ${what}`);
      await prepare(join(below, `windsock-${uid}`));
      const { ended, folders } = await unpackedBy(below);
      expect(ended.code).toBe(0);
      expect(folders).toEqual([`windsock-${uid}`, expect.stringMatching(/^windsock-\d+-\w{6}$/)]);
      expect((await readdir(join(below, folders[1] ?? ""))).sort()).toEqual(both);
      expect((await readdir(join(below, `windsock-${uid}`))).filter((name) => name.endsWith(".node"))).toEqual([]);
    });

    test("that can't be unpacked are named, with a remedy", async () => {
      const { code, stderr } = await run(["--version"], {
        runtime: executable,
        env: { BUN_TMPDIR: join(directory, "missing") },
      });
      expect(code).toBe(1);
      expect(stderr).toContain("set BUN_TMPDIR to another directory");
      expect(stderr).not.toContain("    at ");
    });
  });
});
