import { join } from "node:path";
import process from "node:process";
import { isEmbedded, ownProgram, type Program } from "../../src/runtime/own-program.ts";

/** Returns how to start the program under test again, as `ownProgram` does: under `bun test`, this process is not it. */
export const thisProgram = (argument: string): Program =>
  "Bun" in globalThis && !isEmbedded(Bun.main)
    ? { file: process.execPath, args: [join(import.meta.dirname, "../../src/main.ts"), argument] }
    : ownProgram(argument);
