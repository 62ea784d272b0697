/**
 * Makes the executable: Windsock, all that it needs, and Bun.
 *
 *   bun scripts/build.ts [file]       for this machine
 *   bun scripts/build.ts --all [dir]  for all platforms, with their SHA-256: what is missing comes from the npm registry
 */
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { bundleConsole } from "../src/runtime/bundle-console.ts";
import { buildAll } from "./build-all.ts";
import { compile, type Target } from "./compile.ts";

const root = join(import.meta.dir, "..");

export const thisMachine: Target = { bun: "bun-linux-x64", libsql: "linux-x64-gnu", argon2: "linux-x64-gnu" };

/**
 * Builds it twice: the first one is started, and Bun records which functions that uses. In the second one these lie together, so
 * a start reads fewer pages of the file.
 *
 * @throws what the bundler has to say, or an error if the first one does not start
 */
export async function buildBinary(outfile: string): Promise<void> {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("It can be built on Linux x64 only. There, --all builds it for other platforms.");
  await mkdir(dirname(outfile), { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), "windsock-build-"));
  try {
    const bytecodeOrder = join(scratch, "order");
    const console = await bundleConsole({ development: false });
    const build = { console, target: thisMachine, packages: join(root, "node_modules") };
    await compile(build, { outfile });
    await recordStart(outfile, join(scratch, "data"), bytecodeOrder);
    await compile(build, { outfile, bytecodeOrder });
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** Starts the executable on an empty directory until it serves, and stops it: it then writes the file. */
async function recordStart(executable: string, directory: string, file: string): Promise<void> {
  const server = Bun.spawn([executable], {
    env: {
      WINDSOCK_DATA_DIR: directory,
      WINDSOCK_PORT: "0",
      WINDSOCK_LOG_LEVEL: "silent",
      BUN_BYTECODE_ORDER_OUT: file,
    },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  let printed = "";
  for await (const text of server.stderr.pipeThrough(new TextDecoderStream())) {
    printed += text;
    if (printed.includes("Windsock is serving")) server.kill("SIGTERM");
  }
  if ((await server.exited) !== 0) throw new Error(`The executable does not start: ${printed}`);
}

if (import.meta.main) {
  const [first, second] = process.argv.slice(2);
  if (first === "--all") await buildAll(resolve(second ?? join(root, "dist")));
  else {
    const outfile = resolve(first ?? join(root, "dist/windsock"));
    await buildBinary(outfile);
    console.log(`${outfile}, ${((await stat(outfile)).size / 1e6).toFixed(0)} MB`);
  }
}
