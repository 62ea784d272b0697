/** Who may import whom: the folders of `src/`, the modules, and the kinds of files. Types count as the rest. */
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { Glob, Transpiler } from "bun";
import { moduleNames } from "../../src/modules.ts";

const root = join(import.meta.dir, "../..");

interface Import {
  /** From `src/`. */
  from: string;
  /** From `src/`, or the name of a package. */
  to: string;
  isPackage: boolean;
}

const imported = (from: string, spec: string): Import =>
  spec.startsWith(".")
    ? { from, to: join(dirname(from), spec), isPackage: false }
    : { from, to: spec, isPackage: true };

const imports: Import[] = [];
for (const from of new Glob("**/*.{ts,tsx}").scanSync(join(root, "src"))) {
  const text = await Bun.file(join(root, "src", from)).text();
  for (const [, spec = ""] of text.matchAll(/^(?:import|export)\b[^;]*?\bfrom "([^"]+)"/gm))
    imports.push(imported(from, spec));
  for (const { path } of new Transpiler({ loader: from.endsWith("x") ? "tsx" : "ts" }).scanImports(text))
    imports.push(imported(from, path));
}

const isWithin = (file: string, places: readonly string[]): boolean =>
  places.some((place) => (place.endsWith("/") ? file.startsWith(place) : file === place));

const lines = (found: readonly Import[]): string[] => [
  ...new Set(found.map(({ from, to }) => `${from} imports ${to}`)),
];

const data = ["../package.json", "../migrations/"];
const low = ["core/", "storage/"];
/** What every module stands on. */
const ground = [...low, "mail/", "scheduler/", "http/", "events/", "tls/"];

/** What the files of a folder may import besides their own folder. The first place that fits a file decides. */
const floors: Readonly<Record<string, readonly string[]>> = {
  "core/": [],
  "mail/": ["core/"],
  "tracing/": ["core/"],
  "runtime/": ["core/"],
  "console/": ["core/"],
  "storage/check/": low,
  "storage/": ["core/", ...data],
  "pdf/": low,
  "identity/": low,
  "scheduler/": low,
  "http/": ["core/", "storage/context.ts", "storage/store.ts", "storage/used-keys.ts", ...data],
  "tls/": [...low, "scheduler/", ...data],
  "events/outbound/": ["core/"],
  "events/": [...low, "http/fields.ts"],
  "module.ts": ground,
  "modules/": [...ground, "pdf/", "identity/", "module.ts", ...data],
};

test("each folder imports those below it only", () => {
  const places = Object.keys(floors);
  const wrong = imports.filter(({ from, to, isPackage }) => {
    if (isPackage) return false;
    const own = places.find((place) => from.startsWith(place));
    return own !== undefined && !to.startsWith(own) && !isWithin(to, floors[own] ?? []);
  });
  expect(lines(wrong)).toEqual([]);
});

const moduleOf = (file: string): string | undefined => /^modules\/([^/]+)\//.exec(file)?.[1];

test("each module is in the list of floors", () => {
  const folders = new Set(imports.flatMap(({ from }) => moduleOf(from) ?? []));
  expect([...folders].sort()).toEqual([...moduleNames].sort());
});

test("no module imports one above it", () => {
  const floorOf = (file: string) => moduleNames.indexOf(moduleOf(file) ?? "");
  expect(lines(imports.filter(({ from, to }) => moduleOf(from) && floorOf(to) > floorOf(from)))).toEqual([]);
});

test("a module reads another's tables in queries, shapes and tables only", () => {
  const wrong = imports.filter(
    ({ from, to }) =>
      moduleOf(from) !== undefined &&
      moduleOf(to) !== undefined &&
      moduleOf(from) !== moduleOf(to) &&
      to.endsWith(".tables.ts") &&
      !/\.(queries|shapes|tables)\.ts$/.test(from),
  );
  expect(lines(wrong)).toEqual([]);
});

/** The places where packages may be imported. */
const packages: readonly { name: RegExp; of: string; allowed: (file: string) => boolean }[] = [
  {
    name: /^(elysia|@elysiajs)\b/,
    of: "HTTP",
    allowed: (file) => isWithin(file, ["http/", "app.ts"]) || file.endsWith(".routes.ts"),
  },
  {
    name: /^(drizzle-orm|libsql|@libsql\/client)\b/,
    of: "the database",
    allowed: (file) =>
      isWithin(file, ["storage/", "identity/", "events/", "scheduler/", "modules/"]) &&
      !/\.(routes|jobs)\.ts$/.test(file),
  },
  { name: /^@opentelemetry\b/, of: "OpenTelemetry", allowed: (file) => isWithin(file, ["tracing/"]) },
  { name: /^(bun$|bun:|node:cluster)/, of: "a runtime", allowed: (file) => isWithin(file, ["runtime/"]) },
];

for (const { name, of, allowed } of packages)
  test(`${of} is imported only where it belongs`, () => {
    expect(lines(imports.filter(({ from, to, isPackage }) => isPackage && name.test(to) && !allowed(from)))).toEqual(
      [],
    );
  });

test("no files import each other in a circle", () => {
  const next = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (done.has(file)) return;
    done.add(file);
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file]);
  };
  for (const file of next.keys()) visit(file, []);
  expect(circles).toEqual([]);
});
