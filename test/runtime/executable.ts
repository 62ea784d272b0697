import { join } from "node:path";
import process from "node:process";
import { buildBinary } from "../../scripts/build.ts";

/** The executable of this run of `scripts/test`, which starts with a third of the processor that the sources take. */
export const executableOfRun = process.env.TEST_EXECUTABLE;

/** Builds the executable, unless this run has it. @param folder a new one @returns its path */
export async function builtExecutable(folder: string): Promise<string> {
  if (executableOfRun !== undefined) return executableOfRun;
  const file = join(folder, "windsock");
  await buildBinary(file);
  return file;
}
