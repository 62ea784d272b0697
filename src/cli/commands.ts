/** All commands. The default command is `serve`. */
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { type ArgsDef, type CommandDef, renderUsage, runMain } from "citty";
import program from "../../package.json" with { type: "json" };
import { loadConfig } from "../config.ts";
import { atMost } from "../core/async.ts";
import { seconds } from "../core/clock.ts";
import { createLog } from "../http/request-log.ts";
import { check as checkCommand, jobsRun } from "../modules/operations/commands.ts";
import { compileLater } from "../runtime/compilation.ts";
import { onStopSignal } from "../runtime/signals.ts";
import { createLineWriter } from "../runtime/standard-output.ts";
import { account, admin } from "./account-commands.ts";
import { audit } from "./audit-commands.ts";
import { backup, restore } from "./backup-commands.ts";
import { createChecker } from "./create-checker.ts";
import { doctor } from "./doctor.ts";
import { install } from "./install/install.ts";
import { listen } from "./listen.ts";
import { adopt, control, orgExport } from "./move-commands.ts";
import { orgCommands } from "./org-commands.ts";
import { runInServerOrHere } from "./run-in-server-or-here.ts";
import { serveUntilStopped } from "./serve-until-stopped.ts";
import { command, group } from "./strict-command.ts";
import { verify } from "./verify.ts";

const serve = command(
  { name: "serve", description: "Start the server (the default command)" },
  {
    args: {
      demo: { type: "boolean", description: "Create a demo school in an empty data directory" },
    },
    run: ({ demo }) => serveHere({ isDemo: demo === true }),
  },
);

async function serveHere({ isDemo }: { isDemo: boolean }): Promise<void> {
  // First, so that a signal during the start stops the server in order and does not kill it.
  const stopSignal = new Promise<string>(onStopSignal);
  compileLater(); // until it serves
  // The demo prints to the same terminal, so it does not log each request.
  const config = loadConfig({ ...(isDemo && { WINDSOCK_LOG_LEVEL: "warn" }), ...process.env });
  const output = createLineWriter();
  const log = createLog(config.logLevel, output);
  const demo = isDemo ? await (await import("../demo/demo.ts")).prepareDemo(config) : undefined;
  const print = (text: string) => void process.stderr.write(text);
  try {
    await serveUntilStopped({ config, log, demo, stopSignal, checker: createChecker(), print });
  } finally {
    // Nobody may be reading the log. The process ends nevertheless.
    await atMost(seconds(1), output.written());
  }
  process.exit();
}

const check = command(
  { name: "check", description: "Check that the database files are not damaged" },
  {
    args: { org: { type: "string", description: "Only this organization's file", valueHint: "id" } },
    run: ({ org }) => checkDatabases(org),
  },
);

/** Prints one line for each fault, or for each file without one, and exits with 1 if there is a fault. */
async function checkDatabases(org: string | undefined): Promise<void> {
  const { ok, files } = await runInServerOrHere(checkCommand, { ...(org !== undefined && { org }) });
  for (const { organization_id, owned, faults } of files) {
    const file = `${organization_id ?? "control"}${owned ? "" : " (no organization owns it)"}`;
    for (const line of faults.length > 0 ? faults : ["ok"]) {
      process.stdout.write(`${file}: ${line}\n`);
    }
  }
  if (!ok) process.exitCode = 1;
}

/** Prints the job's result, and exits with 1 if it failed. */
async function runJob(name: string): Promise<void> {
  const { outcome, summary } = await runInServerOrHere(jobsRun, { name });
  process.stdout.write(`${name}: ${outcome}. ${summary}\n`);
  if (outcome === "failed") process.exitCode = 1;
}

const jobs = group(
  { name: "jobs", description: "Scheduled jobs" },
  {
    run: command(
      { name: "run", description: "Run a job now" },
      {
        args: { name: { type: "positional", description: "The job's name", required: true } },
        run: ({ name }) => runJob(name),
      },
    ),
  },
);

const org = group({ name: "org", description: "Schools" }, { ...orgCommands, export: orgExport });

const { version, description } = program;

const windsock = group(
  { name: "windsock", version, description },
  { serve, account, admin, adopt, audit, backup, check, control, doctor, install, jobs, listen, org, restore, verify },
  { default: "serve" },
);

/**
 * Prints citty's usage. For a nested command, adds the program's name, which citty omits. Removes citty's colours unless a
 * terminal shows them and `NO_COLOR` (no-color.org) is unset or empty.
 */
async function showUsage<Args extends ArgsDef>(shown: CommandDef<Args>, parent?: CommandDef<Args>): Promise<void> {
  const meta = { ...(typeof parent?.meta === "function" ? await parent.meta() : await parent?.meta) };
  const isNested = parent !== undefined && meta.name !== "windsock";
  const above = isNested ? { ...parent, meta: { ...meta, name: `windsock ${meta.name}` } } : parent;
  const usage = await renderUsage(shown, above);
  const hasColors = process.stdout.isTTY && !process.env.NO_COLOR;
  process.stdout.write(`${hasColors ? usage : stripVTControlCharacters(usage)}\n`);
}

await runMain(windsock, { showUsage });
