/** The command line. As `check-process`, which it starts itself, it loads little and reads files that may be damaged. */
import process from "node:process";
import { checkProcessArgument } from "./runtime/own-program.ts";

await (process.argv[2] === checkProcessArgument ? import("./cli/check-process.ts") : import("./cli/commands.ts"));
