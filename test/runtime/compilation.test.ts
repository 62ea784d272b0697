import { afterEach, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { endProcesses, newFolder, run, startServer, urlOf } from "./processes.ts";

afterEach(endProcesses);

/** @returns an environment in which a process writes each scale of its thresholds of compilation to standard output */
async function showingScales(): Promise<Record<string, string>> {
  const file = join(await newFolder(), "show-scales.ts");
  await writeFile(file, 'Bun.unsafe.setJITPolicy = (scale) => console.log("scale", scale);\n');
  return { BUN_OPTIONS: `--preload=${file}` };
}

const scalesIn = (output: string) => [...output.matchAll(/^scale (\d+)$/gm)].map(([, scale]) => Number(scale));

test("a start compiles late, and the server that answers as usual", async () => {
  const server = await startServer(await showingScales());
  await urlOf(server);
  const scales = scalesIn(server.stdout());
  expect(scales[0]).toBeGreaterThan(1);
  expect(scales.at(-2)).toBeGreaterThan(1);
  expect(scales.at(-1)).toBe(1);
});

test("a command compiles as usual, once it is loaded", async () => {
  const { stdout } = await run(["audit", "verify"], { env: await showingScales() });
  const scales = scalesIn(stdout);
  expect(scales).toHaveLength(2);
  expect(scales[0]).toBeGreaterThan(1);
  expect(scales[1]).toBe(1);
});
