/** The command line. Without a command it serves. */
import process from "node:process";
import { defineCommand, runMain } from "citty";
import program from "../package.json" with { type: "json" };
import { type Config, loadConfig } from "./config.ts";
import { systemClock } from "./core/clock.ts";
import { openEngine } from "./engine.ts";
import { createLog } from "./http/request-log.ts";
import { prepareDemo } from "./modules/demo/demo.ts";
import { auditVerify, jobsRun } from "./modules/operations/commands.ts";
import { runCommand } from "./modules/operations/run-command.ts";
import { onStopSignal } from "./runtime/signals.ts";
import { startServer } from "./server.ts";
import { welcome } from "./welcome.ts";

const serve = defineCommand({
  meta: { name: "serve", description: "Serve; what happens without a command" },
  args: {
    demo: { type: "boolean", description: "Make a demo school in an empty data directory, and show it at work" },
  },
  run: ({ args: { demo } }) => orExplain(() => serveUntilStopped({ isDemo: demo === true })),
});

async function serveUntilStopped({ isDemo }: { isDemo: boolean }): Promise<void> {
  // The demo tells a story, and a line for each request would bury it.
  const config = loadConfig({ ...(isDemo && { WINDSOCK_LOG_LEVEL: "warn" }), ...process.env });
  const log = createLog(config.logLevel);
  const demo = isDemo ? await prepareDemo(config) : undefined;
  const server = await startServer(config, log, demo);
  onStopSignal((signal) => {
    log.info({ signal }, "Stopping.");
    demo?.stop();
    void orExplain(server.stop).then(() => {
      log.info({}, "Stopped: every file is whole.");
      process.exit();
    });
  });
  log.info({ url: server.url, data_directory: config.dataDir }, "Serving.");
  const say = (text: string) => void process.stderr.write(text);
  if (demo) await demo.play(server.url, say);
  else say(await welcome(server, config));
}

const auditLog = defineCommand({
  meta: { name: "audit", description: "The audit logs" },
  subCommands: {
    verify: defineCommand({
      meta: { name: "verify", description: "Check that no row of the audit logs was changed, removed or cut off" },
      args: { org: { type: "string", description: "Only this organization's log", valueHint: "id" } },
      run: ({ args: { org } }) => orExplain(() => verifyAudit(org)),
    }),
  },
});

/** Prints what was checked, a line for each log, and exits with 1 if one is at fault. */
async function verifyAudit(org: string | undefined): Promise<void> {
  const { ok, logs } = await runCommand(installation(loadConfig(process.env)), auditVerify, {
    ...(org !== undefined && { org }),
  });
  for (const { organization_id, rows, fault } of logs) {
    process.stdout.write(`${organization_id ?? "control"}: ${rows} rows, ${fault ?? "ok"}\n`);
  }
  if (!ok) process.exitCode = 1;
}

const jobs = defineCommand({
  meta: { name: "jobs", description: "Scheduled jobs" },
  subCommands: {
    run: defineCommand({
      meta: { name: "run", description: "Run a job now" },
      args: { name: { type: "positional", description: "Of the job", required: true } },
      run: ({ args: { name } }) => orExplain(() => runJob(name)),
    }),
  },
});

/** Prints what the job did, and exits with 1 if it failed. */
async function runJob(name: string): Promise<void> {
  const { outcome, summary } = await runCommand(installation(loadConfig(process.env)), jobsRun, { name });
  process.stdout.write(`${name}: ${outcome}. ${summary}\n`);
  if (outcome === "failed") process.exitCode = 1;
}

/** For a command that finds no server running. */
const installation = (config: Config) => ({
  directory: config.dataDir,
  open: () => openEngine({ config, clock: systemClock, log: createLog("silent") }),
});

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
    subCommands: { serve, audit: auditLog, jobs },
    default: "serve",
  }),
);
