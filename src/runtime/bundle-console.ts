/** Bundles the console from its sources. Bun's bundler needs no other tool, and takes a tenth of a second. */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { BunPlugin } from "bun";
import type { ConsoleBundle } from "../core/console-bundle.ts";

const sources = join(import.meta.dirname, "../console");
const main = join(sources, "main.tsx");

interface BundleOptions {
  /** Whether the page that shows all widgets is in it. */
  development: boolean;
}

/** @throws what the bundler has to say */
export async function bundleConsole({ development }: BundleOptions): Promise<ConsoleBundle> {
  const { outputs } = await Bun.build({
    entrypoints: [main],
    target: "browser",
    format: "esm",
    splitting: true,
    minify: true,
    loader: { ".svg": "file" },
    publicPath: "/assets/",
    naming: { entry: "[name].[hash].[ext]", chunk: "part.[hash].[ext]", asset: "[name].[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"', DEVELOPMENT: String(development) },
    plugins: [await firstPageInOneFile()],
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

/**
 * The bundler makes a file of all sources that the same parts of the console import: of those of the first page alone some twenty small
 * ones, each of which a browser loads, compiles and links. Here each part that is loaded later also imports the first page, which is
 * there by then: so all of that is one file.
 */
async function firstPageInOneFile(): Promise<BunPlugin> {
  const importsOf = async (path: string, kind: "import-statement" | "dynamic-import") =>
    new Bun.Transpiler({ loader: path.endsWith(".tsx") ? "tsx" : "ts" })
      .scanImports(await readFile(path, "utf8"))
      .filter((one) => one.kind === kind && /\.tsx?$/.test(one.path))
      .map((one) => Bun.resolveSync(one.path, dirname(path)));
  const first = (await importsOf(main, "import-statement")).map((path) => `import ${JSON.stringify(path)};`).join("\n");
  const paths = (await namesOfSources()).filter((name) => /\.tsx?$/.test(name)).map((name) => join(sources, name));
  const later = new Set((await Promise.all(paths.map((path) => importsOf(path, "dynamic-import")))).flat());
  return {
    name: "first page in one file",
    setup(build) {
      build.onLoad({ filter: /[\\/]console[\\/].*\.tsx?$/ }, async ({ path, loader }) => {
        const contents = await readFile(path, "utf8");
        return { contents: later.has(path) ? `${contents}\n${first}` : contents, loader };
      });
    },
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
  const names = await namesOfSources();
  const times = await Promise.all(names.map(async (name) => (await stat(join(sources, name))).mtimeMs));
  return names.map((name, index) => `${name} ${times[index]}`).join("\n");
}

const namesOfSources = async (): Promise<string[]> =>
  (await readdir(sources, { recursive: true })).filter((name) => /\.(tsx?|css|svg)$/.test(name));
