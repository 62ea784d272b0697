/** The command line. Without a command it serves. */
import process from "node:process";
import { defineCommand, runMain } from "citty";
import program from "../package.json" with { type: "json" };
import { loadConfig } from "./config.ts";
import { createLog } from "./http/request-log.ts";
import { onStopSignal } from "./runtime/signals.ts";
import { startServer } from "./server.ts";
import { welcome } from "./welcome.ts";

const serve = defineCommand({
  meta: { name: "serve", description: "Serve; what happens without a command" },
  run: () => orExplain(serveUntilStopped),
});

async function serveUntilStopped(): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLog(config.logLevel);
  const server = await startServer(config, log);
  onStopSignal((signal) => {
    log.info({ signal }, "Stopping.");
    void orExplain(server.stop).then(() => process.exit());
  });
  log.info({ url: server.url, data_directory: config.dataDir }, "Serving.");
  process.stderr.write(await welcome(server, config));
}

/** Ends with what went wrong in one sentence, not with a stack: whoever reads it is an operator. */
async function orExplain(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

const { version, description } = program;

await runMain(
  defineCommand({
    meta: { name: "windsock", version, description },
    subCommands: { serve },
    default: "serve",
  }),
);
