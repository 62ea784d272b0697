/** What a start does not load: reading and linking a file takes half a millisecond, whether or not it is used. */
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { Transpiler } from "bun";

const source = join(import.meta.dir, "../../src");
const typescript = new Transpiler({ loader: "ts" });

/** Returns the files of `src/` that these import, and so on, but not those that are imported where they are used. */
async function loadedWith(...entries: string[]): Promise<Set<string>> {
  const loaded = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    if (!file.endsWith(".ts")) continue;
    for (const { path, kind } of typescript.scanImports(await Bun.file(join(source, file)).text()))
      if (path.startsWith(".") && kind === "import-statement") waiting.push(join(dirname(file), path));
  }
  return loaded;
}

const commandLine = await loadedWith("main.ts", "cli/commands.ts");
const atStart = await loadedWith(...commandLine, "cli/serve-until-stopped.ts");

test("what only prints, such as --help, does not load the server", () => {
  expect(commandLine.has("server.ts")).toBe(false);
});

test("a start loads the server", () => {
  expect([...atStart]).toEqual(expect.arrayContaining(["server.ts", "modules/flights/approve-flight.ts"]));
});

test("a start loads no command but the server, and nothing of the demo", () => {
  const commands = [...atStart].filter((file) => file.startsWith("cli/"));
  expect(commands.sort()).toEqual([
    "cli/commands.ts",
    "cli/create-checker.ts",
    "cli/serve-until-stopped.ts",
    "cli/strict-command.ts",
    "cli/welcome.ts",
  ]);
  expect([...atStart].filter((file) => file.startsWith("demo/"))).toEqual([]);
});

const usedLater = [
  "http/openapi.ts",
  "modules/evidence/packs/build-pack.ts",
  "modules/evidence/pdf/pack-pdf.ts",
  "modules/finance/documents/invoice-pdf.ts",
  "modules/finance/documents/make-e-invoice.ts",
  "modules/notifications/mails/send-mails.ts",
  "modules/operations/metrics.ts",
  "pdf/book-pdf.ts",
  "pdf/open-document.ts",
  "storage/backup/drill.ts",
  "storage/backup/restore.ts",
  "storage/backup/take-backup.ts",
];

test.each(usedLater)("a start does not load %s", async (file) => {
  expect(await Bun.file(join(source, file)).exists()).toBe(true);
  expect(atStart.has(file)).toBe(false);
});
