/** Bundles a program of the sources into few files, for Bun: it starts in two thirds of the time that its 1,900 files take. */
import type { BunPlugin } from "bun";
import type { ConsoleBundle } from "../src/core/console-bundle.ts";

/** Packages that load a native library from their own folder. */
const native = ["libsql", "@libsql/client", "@node-rs/argon2"];

interface Bundle {
  program: string;
  /** Native packages are found from here, so it is below a folder that has `node_modules`. */
  outdir: string;
  /** They change some of the sources. */
  plugins?: BunPlugin[];
}

/** @returns the path of the file to start @throws what the bundler has to say */
export async function bundle({ program, outdir, plugins = [] }: Bundle): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [program],
    outdir,
    target: "bun",
    // What is imported when it is needed stays in files of its own, and a start does not load it.
    splitting: true,
    // A stack in a log names the sources.
    sourcemap: "linked",
    external: native,
    plugins,
  });
  const entry = outputs.find(({ kind }) => kind === "entry-point");
  if (entry === undefined) throw new Error(`${program} can't be bundled.`);
  return entry.path;
}

/** Puts the console into a bundle of the server. It is bundled before: a bundler within a plugin of another one hangs. */
export const withConsole = (console: ConsoleBundle): BunPlugin => ({
  name: "console",
  setup(build) {
    build.onLoad({ filter: /\/src\/runtime\/embedded-console\.ts$/ }, () => ({
      loader: "ts",
      contents: `export const embedded = ${JSON.stringify(console)};`,
    }));
  },
});
