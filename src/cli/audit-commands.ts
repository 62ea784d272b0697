/** `windsock audit …` */
import process from "node:process";
import { auditAcceptRestore, auditVerify } from "../modules/operations/commands.ts";
import { operator } from "./operator.ts";
import { runInServerOrHere } from "./run-in-server-or-here.ts";
import { command, group } from "./strict-command.ts";

const verify = command(
  { name: "verify", description: "Check that no row of the audit logs was changed or removed" },
  {
    args: { org: { type: "string", description: "Only this organization's log", valueHint: "id" } },
    /** Prints one line for each log checked, and exits with 1 if one has a fault. */
    async run({ org }) {
      const { ok, logs } = await runInServerOrHere(auditVerify, { ...(org !== undefined && { org }) });
      for (const { organization_id, rows, fault } of logs) {
        process.stdout.write(`${organization_id ?? "control"}: ${rows} rows, ${fault ?? "ok"}\n`);
      }
      if (!ok) process.exitCode = 1;
    },
  },
);

const acceptRestore = command(
  { name: "accept-restore", description: "Accept the audit log of a file that was restored from a backup" },
  {
    args: {
      org: { type: "string", description: "The organization", valueHint: "id", required: true },
      reason: { type: "string", description: "Why it was restored, for the record", valueHint: "text", required: true },
    },
    async run({ org, reason }) {
      const { rows_before, rows } = await runInServerOrHere(auditAcceptRestore, { org, reason, by: operator() });
      process.stdout.write(`${org}: accepted with ${rows} rows; ${rows_before} were sealed before the restore\n`);
    },
  },
);

export const audit = group(
  { name: "audit", description: "The audit logs" },
  { verify, "accept-restore": acceptRestore },
);
