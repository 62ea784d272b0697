import { expect, test } from "bun:test";
import { withProgress } from "../../src/cli/progress-line.ts";
import type { OnProgress } from "../../src/core/progress.ts";

const what = { what: "Backing up", parts: "databases" };
const MIB = 1024 ** 2;

/** Runs work with a screen of its own. @returns what was written there */
async function shown(
  work: (onProgress: OnProgress, wait: (seconds: number) => void) => Promise<unknown>,
  screen: { isTTY?: boolean; columns?: number },
): Promise<string[]> {
  const written: string[] = [];
  let time = 5000;
  const wait = (seconds: number) => {
    time += seconds * 1000;
  };
  const to = { ...screen, write: (text: string) => written.push(text) };
  const ended = withProgress(what, (onProgress) => work(onProgress, wait), { screen: to, now: () => time });
  await ended.catch((error: unknown) => written.push(String(error)));
  return written;
}

const bytes = { done: 900 * MIB, total: 2150 * MIB };

test("on a terminal, one line says how far it is, fits and goes at the end, also of work that fails", async () => {
  const written = await shown(
    async (onProgress, wait) => {
      onProgress({ done: 3, total: 12, bytes, step: "copying 0199" });
      onProgress({ done: 4, total: 12, bytes }); // too soon
      wait(65);
      onProgress({ done: 4, total: 12, bytes });
      wait(3600);
      onProgress({ done: 5, total: 12, step: "x".repeat(80) });
      throw new Error("no");
    },
    { isTTY: true, columns: 70 },
  );
  const first = "Backing up: 3 of 12 databases, 900 MiB of 2.1 GiB, 41 %, 0:00, copying 0199";
  expect(written).toEqual([
    `\r${first.slice(0, 69)}`,
    `\r${"Backing up: 4 of 12 databases, 900 MiB of 2.1 GiB, 41 %, 1:05".padEnd(69)}`,
    `\rBacking up: 5 of 12 databases, 1:01:05, ${"x".repeat(29)}`,
    `\r${" ".repeat(69)}`,
    "\r",
    "Error: no",
  ]);
});

test("elsewhere, such as in a log, it is a line every half minute, and nothing of work that is over before", async () => {
  const step = "checking 0199 (flights)";
  const long = await shown(async (onProgress, wait) => {
    for (let half = 0; half < 60; half += 1) {
      onProgress({ done: 0, total: 2, bytes: { done: half * MIB, total: 100 * MIB }, step });
      wait(1);
    }
  }, {});
  expect(long).toEqual([`Backing up: 0 of 2 databases, 30.0 MiB of 100 MiB, 30 %, 0:30, ${step}\n`]);
  expect(await shown(async (onProgress) => onProgress({ done: 1, total: 2 }), {})).toEqual([]);
  expect(await shown(async () => undefined, { isTTY: true })).toEqual([]);
});
