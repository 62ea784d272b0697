/** All commands. The default command is `serve`. */
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { type ArgsDef, type CommandDef, renderUsage, runMain } from "citty";
import program from "../../package.json" with { type: "json" };
import { loadConfig } from "../config.ts";
import { atMost } from "../core/async.ts";
import { seconds } from "../core/clock.ts";
import { createLog } from "../http/request-log.ts";
import { compileLater } from "../runtime/compilation.ts";
import { onStopSignal } from "../runtime/signals.ts";
import { createLineWriter } from "../runtime/standard-output.ts";
import { createChecker } from "./create-checker.ts";
import { command, group } from "./strict-command.ts";

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
  const { serveUntilStopped } = await import("./serve-until-stopped.ts");
  // The demo prints to the same terminal, so it does not log each request.
  const config = loadConfig({ ...(isDemo && { WINDSOCK_LOG_LEVEL: "warn" }), ...process.env });
  const output = createLineWriter();
  const log = createLog(config.logLevel, output);
  const demo = isDemo ? await (await import("../demo/demo.ts")).prepareDemo(config) : undefined;
  const print = (text: string) => void process.stderr.write(text);
  const { isTTY: isTerminal = false } = process.stderr;
  try {
    await serveUntilStopped({ config, log, demo, stopSignal, checker: createChecker(), print, isTerminal });
  } finally {
    // Nobody may be reading the log. The process ends nevertheless.
    await atMost(seconds(1), output.written());
  }
  process.exit();
}

const { version, description } = program;

/** Each is loaded when it runs, or for the usage: a start of the server needs none of them. */
const others = {
  account: async () => (await import("./account-commands.ts")).account,
  admin: async () => (await import("./account-commands.ts")).admin,
  adopt: async () => (await import("./move-commands.ts")).adopt,
  audit: async () => (await import("./audit-commands.ts")).audit,
  backup: async () => (await import("./backup-commands.ts")).backup,
  check: async () => (await import("./check.ts")).check,
  control: async () => (await import("./move-commands.ts")).control,
  doctor: async () => (await import("./doctor.ts")).doctor,
  install: async () => (await import("./install/install.ts")).install,
  jobs: async () => (await import("./jobs.ts")).jobs,
  listen: async () => (await import("./listen.ts")).listen,
  manual: async () => (await import("./manual.ts")).manual,
  org: async () => (await import("./org-commands.ts")).org,
  restore: async () => (await import("./backup-commands.ts")).restore,
  verify: async () => (await import("./verify.ts")).verify,
};

const windsock = group({ name: "windsock", version, description }, { serve, ...others }, { default: "serve" });

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
