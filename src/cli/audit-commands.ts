/** `windsock audit …` */
import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import process from "node:process";
import { auditAcceptRestore, auditVerify } from "../modules/operations/commands.ts";
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

/**
 * Returns the account on this machine that runs the command, as the kernel knows it. Its name is that of /etc/passwd:
 * the environment, from which Bun and Deno take it, can be set to anything. For root, adds the account that sudo names.
 */
function operator(): string {
  const uid = process.getuid?.();
  if (uid === undefined) return userInfo().username; // Windows
  const behind = uid === 0 ? /^\d+$/.exec(process.env.SUDO_UID ?? "")?.[0] : undefined;
  return behind === undefined ? account(uid) : `${account(uid)} for ${account(Number(behind))}`;
}

function account(uid: number): string {
  const name = nameOf(uid);
  return name === undefined ? `uid ${uid}` : `${name} (uid ${uid})`;
}

function nameOf(uid: number): string | undefined {
  try {
    const accounts = readFileSync("/etc/passwd", "utf8").split("\n");
    return accounts.map((line) => line.split(":")).find(([, , id]) => id === String(uid))?.[0];
  } catch {
    return undefined;
  }
}

export const audit = group(
  { name: "audit", description: "The audit logs" },
  { verify, "accept-restore": acceptRestore },
);
