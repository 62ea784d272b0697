/**
 * Starts Windsock from source, with the command line of `src/main.ts`:
 *
 *   bun scripts/start.ts [command…]
 *
 * The first start bundles the sources, which takes some seconds, and each later one takes two thirds of the time of the single files.
 * `dist/start/` has a bundle for each state of the sources, of the packages and of Bun: the newest, and the one before, of which a
 * server that still runs may load parts.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";

const root = join(import.meta.dir, "..");
const bundles = join(root, "dist/start");

await import(await program());

/** @returns the file to start: that of the bundle, or of the sources if there can't be one */
async function program(): Promise<string> {
  const kept = join(bundles, stateOfSources());
  try {
    if (!existsSync(kept)) await make(kept);
    return join(kept, "main.js");
  } catch (error) {
    console.error("The single files are started, since they can't be bundled:", error);
    return join(root, "src/main.ts");
  }
}

/** Returns a name that is another one when a file, the packages or Bun have changed. */
function stateOfSources(): string {
  const state = createHash("sha256").update(Bun.version);
  const files = ["src", "migrations", "docs"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`),
  );
  for (const name of ["bun.lock", "package.json", "tenants/README.md", ...files]) {
    const { mtimeMs, size } = statSync(join(root, name));
    state.update(`${name} ${mtimeMs} ${size}\n`);
  }
  return state.digest("hex").slice(0, 16);
}

async function make(kept: string): Promise<void> {
  const { bundle, withConsole } = await import("./bundle.ts");
  const { bundleConsole } = await import("../src/runtime/bundle-console.ts");
  const made = `${kept}.${process.pid}`;
  try {
    await bundle({
      program: join(root, "src/main.ts"),
      outdir: made,
      plugins: [withConsole(await bundleConsole({ development: false }))],
    });
    await rename(made, kept).catch((error) => {
      // Another start was faster.
      if (!existsSync(kept)) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  const others = readdirSync(bundles)
    .map((name) => join(bundles, name))
    .filter((path) => path !== kept)
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  for (const path of others.slice(1)) await rm(path, { recursive: true, force: true });
}
