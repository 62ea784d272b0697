/** Bundles the console for runtimes without a bundler, into `dist/console.json`: `bun scripts/build-console.ts`. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bundleConsole } from "../src/runtime/bundle-console.ts";

const directory = join(import.meta.dir, "../dist");
await mkdir(directory, { recursive: true });
await writeFile(join(directory, "console.json"), JSON.stringify(await bundleConsole({ development: false })));
