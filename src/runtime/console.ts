/**
 * Where the console comes from: the executable contains it; Bun bundles it from the sources, in development again when one has changed;
 * Deno, which has no bundler, reads what `bun run build:console` made.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { seconds } from "../core/clock.ts";
import type { ConsoleBundle } from "../core/console-bundle.ts";
import { Problem } from "../core/errors.ts";
import { once } from "../core/once.ts";
import { embedded } from "./embedded-console.ts";

const built = join(import.meta.dirname, "../../dist/console.json");

/** @returns a function that returns the latest bundle @param development whether the page with all widgets is in it */
export function createConsole({ development }: { development: boolean }): () => Promise<ConsoleBundle> {
  if (embedded) return async () => embedded as ConsoleBundle;
  if (!("Bun" in globalThis)) return once(readBuilt);
  return development ? bundledAnew() : once(async () => (await bundler()).bundleConsole({ development }));
}

const bundler = () => import("./bundle-console.ts");

/** Looks at the sources once a second at most: a page asks for a dozen files, and there are hundreds of sources. */
function bundledAnew(): () => Promise<ConsoleBundle> {
  let known: { state: string; bundle: Promise<ConsoleBundle> } | undefined;
  let looked: { at: number; bundle: Promise<ConsoleBundle> } | undefined;
  const latest = async () => {
    const { bundleConsole, stateOfSources } = await bundler();
    const state = await stateOfSources();
    if (known?.state !== state) known = { state, bundle: bundleConsole({ development: true }) };
    return known.bundle;
  };
  return () => {
    const now = performance.now();
    if (looked === undefined || now - looked.at >= seconds(1)) looked = { at: now, bundle: latest() };
    return looked.bundle;
  };
}

async function readBuilt(): Promise<ConsoleBundle> {
  try {
    return JSON.parse(await readFile(built, "utf8"));
  } catch (cause) {
    throw new Problem(
      "NOT_FOUND",
      "The console is not built. Run `npx bun@1.4.5 run build:console`, then start again.",
      {
        cause,
      },
    );
  }
}
