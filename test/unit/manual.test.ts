/** Who has the executable only has no file of the repository: messages name what the executable prints. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { manualPage } from "../../src/cli/manual.ts";

const root = join(import.meta.dir, "../..");

test("no text of the program names a file of the repository", async () => {
  const naming: string[] = [];
  for (const file of new Glob("src/**/*.{ts,tsx,js}").scanSync(root)) {
    const code = (await Bun.file(join(root, file)).text())
      .replaceAll(/\/\*[\s\S]*?\*\//g, "")
      .replaceAll(/^\s*\/\/.*$/gm, "")
      .replaceAll(/import\("[^"]+"/g, "");
    for (const line of code.split("\n"))
      if (/\b(README|docs\/\w+)\.md\b|\bREADME of\b/.test(line)) naming.push(`${file}: ${line.trim()}`);
  }
  expect(naming).toEqual([]);
});

test("`windsock manual` has the pages for operators, whose links to each other are commands", async () => {
  const [operators, data] = [await manualPage("operators"), await manualPage("data")];
  expect(operators).toContain("`WINDSOCK_DATA_DIR`");
  expect(operators).toContain("`windsock manual data`");
  expect(data).toContain("`windsock manual`");
  expect(`${operators}${data}`).not.toMatch(/\]\(\.\.\//);
  expect(manualPage("pilots")).rejects.toThrow("There is no page pilots. Pages: operators, data.");
});
