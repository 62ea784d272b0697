import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import { variables } from "../../src/config.ts";

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
