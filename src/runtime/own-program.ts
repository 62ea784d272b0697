import process from "node:process";

/** The argument with which this program reads files that may be damaged. It is not for people. */
export const checkProcessArgument = "check-process";

/** The argument with which this program makes an e-invoice. It is not for people. */
export const eInvoiceArgument = "e-invoice-process";

/** The file of a process, and its first arguments. */
export interface Program {
  file: string;
  args: readonly string[];
}

/** Permissions of a Deno process that only reads files. */
export const readsFiles = ["--allow-read", "--allow-env", "--allow-sys", "--allow-ffi"];

/** And of the one that also makes copies of databases. */
const writesFiles = [...readsFiles, "--allow-write"];

/** Returns how to start this program again: the executable, or the sources on the same runtime. */
export function ownProgram(argument: string): Program {
  const [file, main = ""] = process.argv;
  if (file === undefined || isEmbedded(main)) return { file: process.execPath, args: [argument] };
  if (!("Deno" in globalThis)) return { file: process.execPath, args: [main, argument] };
  const permissions = argument === checkProcessArgument ? writesFiles : readsFiles;
  return { file: process.execPath, args: ["run", "--no-prompt", ...permissions, main, argument] };
}

/** The executable names its own sources as its main file. */
export const isEmbedded = (main: string): boolean => main.startsWith("/$bunfs/") || /^B:[\\/]~BUN/.test(main);
