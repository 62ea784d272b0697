/**
 * Makes the executable: Windsock, all that it needs, and the Bun that this runs on.
 *
 *   bun scripts/build.ts [file]
 */
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { BunPlugin } from "bun";
import type { ConsoleBundle } from "../src/core/console-bundle.ts";
import { bundleConsole } from "../src/runtime/bundle-console.ts";

const root = join(import.meta.dir, "..");

/**
 * Builds it twice: the first one is started, and Bun records which functions that uses. In the second one these lie together, so
 * a start reads fewer pages of the file.
 *
 * @throws what the bundler has to say, or an error if the first one does not start
 */
export async function buildBinary(outfile: string): Promise<void> {
  if (process.platform !== "linux" || process.arch !== "x64") throw new Error("It can be built on Linux x64 only.");
  await mkdir(dirname(outfile), { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), "windsock-build-"));
  try {
    const bytecodeOrder = join(scratch, "order");
    const console = await bundleConsole({ development: false });
    await compile(console, { outfile });
    await recordStart(outfile, join(scratch, "data"), bytecodeOrder);
    await compile(console, { outfile, bytecodeOrder });
  } finally {
    await rm(scratch, { recursive: true });
  }
}

const compile = (console: ConsoleBundle, files: { outfile: string; bytecodeOrder?: string }) =>
  Bun.build({
    entrypoints: [join(root, "src/binary.ts")],
    target: "bun",
    format: "esm",
    // What is imported when it is needed stays in files of its own, and a start does not load it.
    splitting: true,
    // Compiled ahead: it starts in half the time. Not minified: a stack in a log should name the functions it names.
    bytecode: true,
    plugins: [nativeModules, withConsole(console)],
    // The environment is all there is of configuration: a file where it happens to be started must not add to it.
    compile: { ...files, autoloadDotenv: false, autoloadBunfig: false },
  });

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

/** Native packages look their library up at run time, by platform. Only one that is named can be embedded. */
const named = [
  {
    file: "libsql/index.js",
    lookUp: /require\(`@libsql\/\$\{target\}`\)/,
    instead: 'require("@libsql/linux-x64-gnu/index.node")',
  },
  {
    file: "@node-rs/argon2/index.js",
    lookUp: /(?<=nativeBinding = )requireNative\(\)/,
    instead: 'require("@node-rs/argon2-linux-x64-gnu/argon2.linux-x64-gnu.node")',
  },
];

/** Puts the console into the executable. It is bundled before: a bundler within a plugin of another one hangs. */
const withConsole = (bundle: ConsoleBundle): BunPlugin => ({
  name: "console",
  setup(build) {
    build.onLoad({ filter: /\/src\/runtime\/embedded-console\.ts$/ }, () => ({
      loader: "ts",
      contents: `export const embedded = ${JSON.stringify(bundle)};`,
    }));
  },
});

const nativeModules: BunPlugin = {
  name: "native modules",
  setup(build) {
    for (const { file, lookUp, instead } of named) {
      build.onLoad({ filter: new RegExp(`/node_modules/${file}$`) }, async ({ path }) => {
        const source = await Bun.file(path).text();
        if (!lookUp.test(source)) throw new Error(`${file} finds its library in another way now.`);
        return { loader: "js", contents: source.replace(lookUp, instead) };
      });
    }
  },
};

if (import.meta.main) {
  const outfile = resolve(process.argv[2] ?? join(root, "dist/windsock"));
  await buildBinary(outfile);
  console.log(`${outfile}, ${((await stat(outfile)).size / 1e6).toFixed(0)} MB`);
}
