/** Keeps what has been decided in a file, so that a run can be stopped and gone on with. */
import { existsSync } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import type { Result } from "./alone.ts";

type Decided = Omit<Result, "fault">;

interface Line extends Decided {
  file: string;
  /** Without the number of the line, which other changes move. Two changes of a file that read alike share a result. */
  change: string;
}

export interface KeptResults {
  of(file: string, change: string): Decided | undefined;
  add(result: Result, change: string): void;
}

/** @param path without one, nothing is kept. The last line for a fault counts. */
export async function resultsIn(path: string | undefined): Promise<KeptResults> {
  const kept = new Map<string, Decided>();
  const keyOf = (file: string, change: string) => `${file} ${change}`;
  if (path !== undefined && existsSync(path))
    for (const text of (await readFile(path, "utf8")).split("\n").filter(Boolean)) {
      const { file, change, ...decided }: Line = JSON.parse(text);
      kept.set(keyOf(file, change), decided);
    }
  let writing = Promise.resolve();
  return {
    of: (file, change) => kept.get(keyOf(file, change)),
    add({ fault: { file }, outcome, by }, change) {
      if (path === undefined) return;
      const line: Line = { file, change, outcome, ...(by && { by }) };
      writing = writing.then(() => appendFile(path, `${JSON.stringify(line)}\n`));
    },
  };
}
