import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BunPlugin } from "bun";

const root = join(import.meta.dir, "../..");

/** Loads what is under `test/` without `bun:test`, and with its place in the tree: it reads files from there. */
export const testSources: BunPlugin = {
  name: "tests",
  setup(build) {
    build.onLoad({ filter: new RegExp(`^${RegExp.escape(root)}/test/.*\\.ts$`) }, async ({ path }) => ({
      loader: "ts",
      contents: (await readFile(path, "utf8"))
        .replace(/from "bun:test"/g, `from ${JSON.stringify(join(import.meta.dir, "bun-test.ts"))}`)
        .replace(/\bimport\.meta\.(dir|dirname)\b/g, JSON.stringify(dirname(path)))
        .replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href)),
    }));
    // Its own module for `import` is not understood by Bun, where the default export of a CommonJS module is its `default`.
    build.onLoad({ filter: /\/node_modules\/expect\/build\/index\.mjs$/ }, () => ({
      loader: "js",
      contents: 'export { expect } from "./index.js";',
    }));
  },
};
