import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Glob } from "bun";
import { getTableName, is, Table } from "drizzle-orm";
import { variables } from "../../src/config.ts";
import { moduleNames, modules } from "../../src/modules.ts";
import type { Occasion } from "../../src/storage/occasions.ts";

const root = join(import.meta.dir, "../..");
const textOf = (file: string): Promise<string> => Bun.file(join(root, file)).text();

test("the configuration table for operators matches config.ts", async () => {
  const page = await textOf("docs/operators.md");
  const table = /<!-- configuration:[\s\S]*?-->\n([\s\S]*?)<!-- \/configuration -->/.exec(page)?.[1] ?? "";
  const rows = table.split("\n").filter((row) => row.startsWith("| `WINDSOCK_"));
  expect(
    rows.map((row) =>
      row
        .split("|")
        .map((cell) => cell.trim().replaceAll("`", ""))
        .slice(1, 5),
    ),
  ).toEqual(
    variables.map(({ name, default: fallback = "", description, example }) => [
      name,
      fallback,
      description.replaceAll("`", ""),
      example.replaceAll("`", ""),
    ]),
  );
});

test("the README is read in some minutes", async () => {
  expect((await textOf("README.md")).split("\n").length).toBeLessThanOrEqual(200);
});

/** As they are linked: GitHub's form. */
const anchorsOf = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );

test("every link of the pages leads to a file, and to a heading that it has", async () => {
  const dead: string[] = [];
  let count = 0;
  const pages = ["*.md", "docs/*.md", "src/**/*.md", "tenants/*.md", "scripts/**/*.md"];
  for (const page of pages.flatMap((pattern) => [...new Glob(pattern).scanSync(root)])) {
    const text = (await textOf(page)).replaceAll(/```[\s\S]*?```/g, "");
    for (const [, target = ""] of text.matchAll(/\[[^\]\n]+\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      count += 1;
      const [file = "", anchor] = target.split("#");
      const path = file === "" ? page : join(dirname(page), file);
      const isThere = await Bun.file(join(root, path)).exists();
      if (!isThere || (anchor !== undefined && !anchorsOf(await textOf(path)).includes(anchor)))
        dead.push(`${page}: ${target}`);
    }
  }
  expect(dead).toEqual([]);
  expect(count).toBeGreaterThan(10);
});

const readmeOf = (module: string): Promise<string> => textOf(`src/modules/${module}/README.md`);

test("src/README.md lists the modules in their order, and is read in some minutes", async () => {
  const page = await textOf("src/README.md");
  const listed = [...page.matchAll(/^\| \[([\w-]+)\]\(modules\/\1\/README\.md\)/gm)].map(([, name]) => name);
  expect(listed).toEqual([...moduleNames]);
  expect(page.split("\n").length).toBeLessThanOrEqual(170);
});

test("the README of a module names the tables that it owns", async () => {
  const missing: string[] = [];
  for (const [at, name] of moduleNames.entries()) {
    const page = await readmeOf(name);
    const tables = Object.values(modules[at]?.tables ?? {}).flatMap((ofKind) => Object.values(ofKind));
    for (const table of tables)
      if (is(table, Table) && !page.includes(`\`${getTableName(table)}\``))
        missing.push(`${name}: ${getTableName(table)}`);
  }
  expect(missing).toEqual([]);
});

test("the READMEs of both sides name an occasion, and the lower one who follows it", async () => {
  const missing: string[] = [];
  for (const file of new Glob("src/modules/*/*.occasions.ts").scanSync(root)) {
    const own = basename(dirname(file));
    const page = await readmeOf(own);
    const declared: Record<string, Pick<Occasion<never>, "followedBy">> = await import(join(root, file));
    for (const [name, { followedBy }] of Object.entries(declared)) {
      if (!page.includes(`\`${name}\``)) missing.push(`${own}: ${name}`);
      for (const follower of followedBy) {
        if (!page.includes(follower)) missing.push(`${own}: ${follower}, which follows ${name}`);
        if (!(await readmeOf(follower)).includes(`\`${name}\``)) missing.push(`${follower}: ${name}`);
      }
    }
  }
  expect(missing).toEqual([]);
});

const everyFile = [
  ...new Glob("{src,test,scripts,docs,tenants,migrations,.ci}/**/*").scanSync({ cwd: root, dot: true }),
];

/** A path or pattern begins at the page's folder, at `src/` or at the root. A name alone is of a file below the folder, `*.…` of any. */
function isThere(folder: string, path: string): boolean {
  const places = [folder, "src", ""].map((start) => join(start, path));
  if (places.some((place) => existsSync(join(root, place)))) return true;
  const below = path.startsWith("*") ? "src" : folder;
  const patterns = path.includes("/") ? places.map((place) => `${place}**`) : [`${below}/**/${path}`];
  return patterns.some((text) => {
    const pattern = new Glob(text);
    return everyFile.some((file) => pattern.match(file));
  });
}

test("every file and folder that a README of src/ names in backticks exists", async () => {
  const missing: string[] = [];
  let count = 0;
  for (const page of new Glob("src/**/README.md").scanSync(root))
    for (const [, path = ""] of (await textOf(page)).matchAll(
      /`((?:[\w.*-]+\/)*[\w.*-]+(?:\.(?:ts|js|md|golden)|\/))`/g,
    )) {
      count += 1;
      if (!isThere(dirname(page), path)) missing.push(`${page}: ${path}`);
    }
  expect(missing).toEqual([]);
  expect(count).toBeGreaterThan(200);
});

test("every name that a README of src/ has in backticks is in the program", async () => {
  const words = new Set<string>();
  for (const file of everyFile.filter((name) => /^(src|test|scripts)\/.*\.(tsx?|js)$/.test(name)))
    for (const [word] of (await textOf(file)).matchAll(/[A-Za-z_]\w*/g)) words.add(word);
  const missing: string[] = [];
  for (const page of new Glob("src/**/README.md").scanSync(root))
    for (const [, name = ""] of (await textOf(page)).matchAll(/`([A-Za-z]+(?:_\w+|[a-z][A-Z]\w*))(?:\([^`]*\))?`/g))
      if (!words.has(name)) missing.push(`${page}: ${name}`);
  expect(missing).toEqual([]);
});
