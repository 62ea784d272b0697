/** Bundles the console from its sources. Bun's bundler needs no other tool, and takes a tenth of a second. */
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ConsoleBundle } from "../core/console-bundle.ts";

const sources = join(import.meta.dirname, "../console");

interface BundleOptions {
  /** Whether the page that shows all widgets is in it. */
  development: boolean;
}

/** @throws what the bundler has to say */
export async function bundleConsole({ development }: BundleOptions): Promise<ConsoleBundle> {
  const { outputs } = await Bun.build({
    entrypoints: [join(sources, "main.tsx")],
    target: "browser",
    format: "esm",
    splitting: true,
    minify: true,
    loader: { ".svg": "file" },
    publicPath: "/assets/",
    naming: { entry: "[name].[hash].[ext]", chunk: "part.[hash].[ext]", asset: "[name].[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"', DEVELOPMENT: String(development) },
  });
  const files: Record<string, string> = {};
  for (const output of outputs) files[basename(output.path)] = await output.text();
  const named = (pattern: RegExp): string => {
    const name = Object.keys(files).find((one) => pattern.test(one));
    if (name === undefined) throw new Error(`The console has no file like ${pattern}.`);
    return name;
  };
  const script = named(/^main\.\w+\.js$/);
  return {
    ...{ script, style: named(/^main\.\w+\.css$/), icon: named(/^icon\.\w+\.svg$/) },
    preloads: importedBy(files, script),
    files,
  };
}

/** Returns the files that a script imports before it runs, directly or not. */
function importedBy(files: Readonly<Record<string, string>>, script: string): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    for (const [, imported = ""] of (files[name] ?? "").matchAll(
      /(?:from|import)\s*"(?:\/assets|\.)\/([\w.-]+\.js)"/g,
    )) {
      if (found.has(imported)) continue;
      found.add(imported);
      visit(imported);
    }
  };
  visit(script);
  return [...found];
}

/** Returns a text that changes when a source changes. */
export async function stateOfSources(): Promise<string> {
  const names = (await readdir(sources, { recursive: true })).filter((name) => /\.(tsx?|css|svg)$/.test(name));
  const times = await Promise.all(names.map(async (name) => (await stat(join(sources, name))).mtimeMs));
  return names.map((name, index) => `${name} ${times[index]}`).join("\n");
}
