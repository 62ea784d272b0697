/**
 * Makes the executable: Windsock, all that it needs, and the Bun that this runs on.
 *
 *   bun scripts/build.ts [file]
 */
import { mkdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { BunPlugin } from "bun";
import type { ConsoleBundle } from "../src/core/console-bundle.ts";
import { bundleConsole } from "../src/runtime/bundle-console.ts";

const root = join(import.meta.dir, "..");

/** @throws what the bundler has to say */
export async function buildBinary(outfile: string): Promise<void> {
  if (process.platform !== "linux" || process.arch !== "x64") throw new Error("It can be built on Linux x64 only.");
  await mkdir(dirname(outfile), { recursive: true });
  await Bun.build({
    entrypoints: [join(root, "src/binary.ts")],
    target: "bun",
    format: "esm",
    // Compiled ahead: it starts in half the time. Not minified: a stack in a log should name the functions it names.
    bytecode: true,
    plugins: [nativeModules, withConsole(await bundleConsole({ development: false }))],
    // The environment is all there is of configuration: a file where it happens to be started must not add to it.
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
  });
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
