import { join } from "node:path";
import type { BunPlugin } from "bun";
import { bundleConsole } from "../../src/runtime/bundle-console.ts";
import { thisMachine } from "../build.ts";
import { compile } from "../compile.ts";
import { testSources } from "./test-sources.ts";

const root = join(import.meta.dir, "../..");

/** Makes an executable as `scripts/build.ts` does, which has the tests in it. It is not for use. */
export async function compileTests(files: readonly string[], outfile: string): Promise<void> {
  // As the tests have it on Bun: with the page that shows all widgets.
  const console = await bundleConsole({ development: true });
  const parts = { entrypoint: join(import.meta.dir, "program.ts"), plugins: [testSources, withTests(files)] };
  await compile({ console, target: thisMachine, packages: join(root, "node_modules"), ...parts }, { outfile });
}

/** Each import is written out, for the bundler. */
const withTests = (files: readonly string[]): BunPlugin => ({
  name: "test files",
  setup(build) {
    const lines = ["test/support/preload.ts", ...files].map(
      (file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(join(root, file))}),`,
    );
    build.onLoad({ filter: /\/scripts\/runtimes\/load-test\.ts$/ }, () => ({
      loader: "js",
      contents: `const files = {\n${lines.join("\n")}\n};\nexport const loadTest = (file) => files[file]();`,
    }));
  },
});
