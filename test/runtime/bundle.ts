import { mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { bundle } from "../../scripts/bundle.ts";
import { root } from "./runtimes.ts";

const bundles = new Map<string, Promise<string>>();

/**
 * Bundles a program, once for all tests of this process: it starts faster than its sources.
 *
 * @param plugin changes some of the sources
 */
export function bundled(program: string, plugin?: BunPlugin): Promise<string> {
  const key = `${program} ${plugin?.name ?? ""}`;
  const made = bundles.get(key) ?? make(program, plugin);
  bundles.set(key, made);
  return made;
}

async function make(program: string, plugin?: BunPlugin): Promise<string> {
  const outdir = await mkdtemp(join(tmpdir(), "windsock-bundle-"));
  await symlink(join(root, "node_modules"), join(outdir, "node_modules"));
  return bundle({ program, outdir, plugins: plugin ? [plugin] : [] });
}
