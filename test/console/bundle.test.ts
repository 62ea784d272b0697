/** What a browser has to load: the budgets of the console. Compressed by gzip. */
import { beforeAll, expect, test } from "bun:test";
import { gzipSync } from "bun";
import type { ConsoleBundle } from "../../src/core/console-bundle.ts";
import { bundleConsole } from "../../src/runtime/bundle-console.ts";

let bundle: ConsoleBundle;
beforeAll(async () => {
  bundle = await bundleConsole({ development: false });
});

const kilobytes = (names: readonly string[]) =>
  names.reduce((sum, name) => sum + gzipSync(bundle.files[name] ?? "").length, 0) / 1024;

/** The scripts that a script imports before it runs. */
const importsOf = (script: string): string[] => [
  ...new Set(
    [...(bundle.files[script] ?? "").matchAll(/(?:from|import)\s*"[^"]*?([\w-]+\.\w+\.js)"/g)].map(
      ([, name = ""]) => name,
    ),
  ),
];

test("the first page has at most 60 KB of script, with the texts of a language, and 12 KB of style", () => {
  const [texts = ""] = Object.keys(bundle.files).filter((name) => bundle.files[name]?.includes("Konto"));
  expect(kilobytes([texts])).toBeGreaterThan(0);
  expect(kilobytes([bundle.script, ...bundle.preloads, texts])).toBeLessThan(60);
  expect(kilobytes([bundle.style])).toBeLessThan(12);
});

test("a file that is loaded later has at most 20 KB, that of Zag.js 40", () => {
  const later = Object.keys(bundle.files).filter(
    (name) => name.endsWith(".js") && name !== bundle.script && !bundle.preloads.includes(name),
  );
  expect(later.length).toBeGreaterThan(2);
  const [zag = ""] = later.filter((name) => bundle.files[name]?.includes("data-scope"));
  for (const name of later)
    expect({ name, isSmall: kilobytes([name]) < (name === zag ? 40 : 20) }).toEqual({ name, isSmall: true });
});

test("what the first page needs is one file, not one for each set of screens that share a part of it", () => {
  expect(bundle.preloads).toHaveLength(1);
});

test("the page names each file that its script imports, so that browsers load all at once", () => {
  const all = new Set(bundle.preloads);
  for (const script of [bundle.script, ...bundle.preloads])
    for (const imported of importsOf(script)) expect(all.has(imported)).toBe(true);
});

test("no style of what is in the page depends on all of the page: whatever is added would be styled with all that it may reach", () => {
  const onScreen = (bundle.files[bundle.style] ?? "").replace(/@media print\s*\{(?:[^{}]|\{[^{}]*\})*\}/g, "");
  expect(onScreen).toContain(":has(");
  expect(
    onScreen.match(
      /(?:^|[\s,{}])(?:html|body|:root|\.shell|\.page[\w-]*):has\((?:[^()]|\([^()]*\))*\)[\s>+~]+[^\s{,]+/g,
    ),
  ).toBeNull();
});

test("the page with all widgets is in development only", async () => {
  const has = ({ files }: ConsoleBundle) => Object.values(files).some((text) => text.includes("/app/widgets"));
  expect(has(bundle)).toBe(false);
  expect(has(await bundleConsole({ development: true }))).toBe(true);
});
