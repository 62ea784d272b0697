/** Plants many faults in a copy of the tree at once, and switches them on one at a time (`switched.ts`, `player.ts`). */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { type Copy, newDataDirectory, type Planted, type Result } from "./alone.ts";
import type { Plan, Report } from "./player.ts";
import { switchable } from "./switched.ts";

/** In processes of their own, or in a browser: a fault that is switched on in this process is not in them. */
const isElsewhere = (test: string): boolean => /^test\/(runtime|console|clients|storage)\//.test(test);

/**
 * @param tests all files under `test/`
 * @returns the faults that must be tried alone: those that can't be switched, and those whose place is only come by when modules are
 *   loaded
 */
export async function together(
  copy: Copy,
  faults: readonly Planted[],
  tests: readonly string[],
  done: (result: Result) => void,
): Promise<Planted[]> {
  const at = (file: string) => join(copy.tree, file);
  const switched: Planted[] = [];
  for (const [file, all] of Map.groupBy(faults, (fault) => fault.file)) {
    const { text, planted } = switchable(all[0]?.text ?? "", all);
    await writeFile(at(file), text);
    switched.push(...all.filter((fault) => planted.includes(fault)));
  }
  const originals = new Map<string, string>();
  for (const file of tests) {
    const text = await readFile(at(file), "utf8");
    if (!text.includes('from "bun:test"')) continue;
    originals.set(file, text);
    await writeFile(at(file), text.replace('from "bun:test"', `from "${at("scripts/mutate/bun-test.ts")}"`));
  }

  const alive = new Map(switched.map((fault) => [fault.id, fault]));
  const fixed = new Set<number>();
  let files = inOrder(switched);
  while (files.length > 0 && alive.size > 0) {
    const plan = files.map(({ file, faults: all }) => ({ file: at(file), faults: all.filter((id) => alive.has(id)) }));
    let trying: Extract<Report, { trying: number }> | undefined;
    const decide = (id: number, result: Omit<Result, "fault">) => {
      const fault = alive.get(id);
      alive.delete(id);
      if (fault) done({ fault, ...result });
    };
    let played = 0;
    await play(copy, { files: plan }, (report) => {
      if ("trying" in report) trying = report;
      else trying = undefined;
      if ("caught" in report)
        decide(report.caught, {
          outcome: "caught",
          by: { file: report.file.slice(copy.tree.length + 1), name: report.by },
        });
      if ("fixed" in report) fixed.add(report.fixed);
      if ("played" in report) played += 1;
    });
    // It hung, or crashed: goes on behind it.
    if (trying) decide(trying.trying, { outcome: "out of time", by: { file: trying.file, name: trying.by } });
    files = files.slice(trying ? played : Math.max(played, played < files.length ? played + 1 : played));
  }
  for (const [file, text] of originals) await writeFile(at(file), text);
  for (const { file, text } of faults) await writeFile(at(file), text);
  for (const fault of alive.values()) if (!fixed.has(fault.id)) done({ fault, outcome: "survived" });
  return faults.filter((fault) => !switched.includes(fault) || (alive.has(fault.id) && fixed.has(fault.id)));
}

/** The test files that are nearest to a fault come first. */
function inOrder(faults: readonly Planted[]): Plan["files"] {
  const ranks = new Map<string, { rank: number; faults: number[] }>();
  for (const { id, tests } of faults)
    for (const [rank, file] of tests.filter((test) => !isElsewhere(test)).entries()) {
      const known = ranks.get(file);
      ranks.set(file, { rank: Math.min(rank, known?.rank ?? rank), faults: [...(known?.faults ?? []), id] });
    }
  return [...ranks]
    .sort(([, one], [, other]) => one.rank - other.rank || other.faults.length - one.faults.length)
    .map(([file, { faults: all }]) => ({ file, faults: all }));
}

/** In milliseconds. Each attempt of a test ends after 90 seconds (`player.ts`). */
const longestSilence = 400_000;

/** Runs `player.ts` until it ends, or prints nothing for a long time. */
async function play({ tree, documentFile }: Copy, plan: Plan, on: (report: Report) => void): Promise<void> {
  const data = await newDataDirectory();
  const child = Bun.spawn([process.execPath, "scripts/mutate/player.ts"], {
    ...{ cwd: tree, stdin: new Blob([JSON.stringify(plan)]), stdout: "pipe", stderr: "inherit" },
    env: { ...process.env, TMPDIR: data, WINDSOCK_DOCUMENT: documentFile },
  });
  const stop = () => child.kill("SIGKILL");
  process.once("exit", stop);
  let silence = setTimeout(stop, longestSilence);
  let begun = "";
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    clearTimeout(silence);
    silence = setTimeout(stop, longestSilence);
    const lines = (begun + part).split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines)
      if (line.startsWith("@")) on(JSON.parse(line.slice(1)));
      else console.log(line);
  }
  clearTimeout(silence);
  await child.exited;
  process.off("exit", stop);
  await rm(data, { recursive: true, force: true });
}
