/**
 * `windsock serve`, with a deadline for its stop:
 *
 *   bun serving-until.ts MILLISECONDS
 */
import process from "node:process";
import { createChecker } from "../../src/cli/create-checker.ts";
import { serveUntilStopped } from "../../src/cli/serve-until-stopped.ts";
import { loadConfig } from "../../src/config.ts";
import { createLog } from "../../src/http/request-log.ts";
import { checkProcessArgument } from "../../src/runtime/own-program.ts";
import { onStopSignal } from "../../src/runtime/signals.ts";

// It starts itself to check files, as `src/main.ts` does.
if (process.argv[2] === checkProcessArgument) await import("../../src/cli/check-process.ts");

await serveUntilStopped({
  config: loadConfig(process.env),
  log: createLog("info", process.stdout),
  stopSignal: new Promise<string>(onStopSignal),
  checker: createChecker(),
  deadline: Number(process.argv[2]),
  print: (text) => void process.stderr.write(text),
});
process.exit();
