/** Makes an executable of Windsock, all that it needs, and Bun. */
import { join } from "node:path";
import type { BunPlugin } from "bun";
import type { ConsoleBundle } from "../src/core/console-bundle.ts";

const root = join(import.meta.dir, "..");

/** Where an executable runs. The names are those of Bun's packages and of the native packages. */
export interface Target {
  bun: Bun.Build.CompileTarget;
  libsql: string;
  argon2: string;
}

interface Build {
  console: ConsoleBundle;
  target: Target;
  /** The `node_modules` with the native packages of the target. */
  packages: string;
  /** By default that of the product. */
  entrypoint?: string;
  plugins?: readonly BunPlugin[];
}

export const compile = (
  { console, target, packages, entrypoint = join(root, "src/binary.ts"), plugins = [] }: Build,
  files: { outfile: string; bytecodeOrder?: string; target?: Bun.Build.CompileTarget },
) =>
  Bun.build({
    entrypoints: [entrypoint],
    target: "bun",
    format: "esm",
    // What is imported when it is needed stays in files of its own, and a start does not load it.
    splitting: true,
    // Compiled ahead: it starts in half the time. Not minified: a stack in a log should name the functions it names.
    bytecode: true,
    plugins: [nativeModules(target, packages), withConsole(console), ...plugins],
    // The environment is all there is of configuration: a file where it happens to be started must not add to it.
    compile: { ...files, autoloadDotenv: false, autoloadBunfig: false },
  });

/** Native packages look their library up at run time, by platform. Only one that is named can be embedded. */
const named = [
  {
    file: "libsql/index.js",
    lookUp: /require\(`@libsql\/\$\{target\}`\)/,
    library: ({ libsql }: Target) => `@libsql/${libsql}/index.node`,
  },
  {
    file: "@node-rs/argon2/index.js",
    lookUp: /(?<=nativeBinding = )requireNative\(\)/,
    library: ({ argon2 }: Target) => `@node-rs/argon2-${argon2}/argon2.${argon2}.node`,
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

const nativeModules = (target: Target, packages: string): BunPlugin => ({
  name: "native modules",
  setup(build) {
    for (const { file, lookUp, library } of named) {
      build.onLoad({ filter: new RegExp(`/node_modules/${file}$`) }, async ({ path }) => {
        const source = await Bun.file(path).text();
        if (!lookUp.test(source)) throw new Error(`${file} finds its library in another way now.`);
        const instead = `require(${JSON.stringify(join(packages, library(target)))})`;
        return { loader: "js", contents: source.replace(lookUp, () => instead) };
      });
    }
  },
});
