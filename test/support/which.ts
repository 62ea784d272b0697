import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

/** Returns the path of a program of this machine, or null if it has none of that name. */
export const which = (program: string): string | null =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path)) ?? null;
