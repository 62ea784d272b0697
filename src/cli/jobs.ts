/** `windsock jobs …` */
import process from "node:process";
import { jobsRun } from "../modules/operations/commands.ts";
import { runInServerOrHere } from "./run-in-server-or-here.ts";
import { command, group } from "./strict-command.ts";

/** Prints the job's result, and exits with 1 if it failed. */
async function runJob(name: string): Promise<void> {
  const { outcome, summary } = await runInServerOrHere(jobsRun, { name });
  process.stdout.write(`${name}: ${outcome}. ${summary}\n`);
  if (outcome === "failed") process.exitCode = 1;
}

export const jobs = group(
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
