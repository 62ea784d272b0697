/** Makes an executable of Windsock, all that it needs, and Bun. */
import { join } from "node:path";
import type { BunPlugin } from "bun";
import type { ConsoleBundle } from "../src/core/console-bundle.ts";
import { withConsole } from "./bundle.ts";

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
const native = [
  {
    name: "libsql",
    file: "libsql/index.js",
    lookUp: /require\(`@libsql\/\$\{target\}`\)/,
    library: ({ libsql }: Target) => `@libsql/${libsql}/index.node`,
  },
  {
    name: "argon2",
    file: "@node-rs/argon2/index.js",
    lookUp: /(?<=nativeBinding = )requireNative\(\)/,
    library: ({ argon2 }: Target) => `@node-rs/argon2-${argon2}/argon2.${argon2}.node`,
  },
];

const opener = join(root, "src/runtime/native-libraries.ts");

/** Puts the native libraries into the executable, and lets their packages load them from where it unpacks them. */
const nativeModules = (target: Target, packages: string): BunPlugin => ({
  name: "native modules",
  setup(build) {
    for (const { name, file, lookUp } of native) {
      build.onLoad({ filter: new RegExp(`/node_modules/${file}$`) }, async ({ path }) => {
        const source = await Bun.file(path).text();
        if (!lookUp.test(source)) throw new Error(`${file} finds its library in another way now.`);
        const instead = `require(${JSON.stringify(opener)}).openLibrary("${name}")`;
        return { loader: "js", contents: source.replace(lookUp, () => instead) };
      });
    }
    build.onLoad({ filter: /\/src\/runtime\/embedded-libraries\.ts$/ }, async () => {
      const parts = native.map(async ({ name, library }) => {
        const file = join(packages, library(target));
        const content = await Bun.file(file).bytes();
        const unpacked = { file: `${name}-${digestOf(content)}.node`, size: content.length };
        return `${name}: { ...${JSON.stringify(unpacked)}, packed: require(${JSON.stringify(`${file}.gz`)}) }`;
      });
      return { loader: "ts", contents: `export const libraries = { ${(await Promise.all(parts)).join(", ")} };` };
    });
    build.onResolve({ filter: /\.node\.gz$/ }, ({ path }) => ({ path }));
    build.onLoad({ filter: /\.node\.gz$/ }, async ({ path }) => {
      const content = await Bun.file(path.slice(0, -".gz".length)).bytes();
      return { loader: "file", contents: Bun.gzipSync(content, { level: 9 }) };
    });
  },
});

const digestOf = (content: Uint8Array) => new Bun.CryptoHasher("sha256").update(content).digest("hex");
