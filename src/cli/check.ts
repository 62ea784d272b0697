/** `windsock check` */
import process from "node:process";
import { check as checkCommand } from "../modules/operations/commands.ts";
import { runInServerOrHere } from "./run-in-server-or-here.ts";
import { command } from "./strict-command.ts";

export const check = command(
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
