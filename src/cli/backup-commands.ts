/** `windsock backup` and `windsock restore`. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import { loadConfig } from "../config.ts";
import { systemClock } from "../core/clock.ts";
import { backup as backupCommand, drill, finishRestore, restoreSchool } from "../modules/operations/commands.ts";
import { isServerRunning } from "../modules/operations/operator-client.ts";
import { type Restored, type RestoreRequest, restoreInstallation } from "../storage/backup/restore.ts";
import { DataDirectoryLocked } from "../storage/data-lock.ts";
import { createChecker } from "./create-checker.ts";
import { operator } from "./operator.ts";
import { withProgress } from "./progress-line.ts";
import { runInServerOrHere } from "./run-in-server-or-here.ts";
import { command } from "./strict-command.ts";

const restoring = { what: "Restoring", parts: "databases" };

const print = (text: string) => void process.stdout.write(`${text}\n`);

export const backup = command(
  { name: "backup", description: "Back up all databases, while the server runs or not" },
  {
    args: {
      org: { type: "string", description: "Only this organization's", valueHint: "id" },
      to: { type: "string", description: "The directory of backups, instead of WINDSOCK_BACKUP_DIR", valueHint: "dir" },
      "verify-restore": { type: "boolean", description: "Make none: restore the newest one for a trial, and check it" },
      identity: { type: "string", description: "The identity that opens it, if it is encrypted", valueHint: "file" },
      full: { type: "boolean", description: "Copy schools again that have not changed since the last backup" },
    },
    /** Prints what was copied, and exits with 1 if a school was not. */
    async run({ org, to, full, identity, "verify-restore": isDrill }) {
      const where: { to?: string } = to === undefined ? {} : { to: resolve(to) };
      if (isDrill === true) {
        if (org !== undefined || full === true)
          throw new Error("--verify-restore makes no backup: remove --org and --full.");
        const opened: { identity?: string } = identity === undefined ? {} : { identity: resolve(identity) };
        return show(
          await withProgress({ what: "Trying the restore", parts: "databases" }, (onProgress) =>
            runInServerOrHere(drill, { ...where, ...opened }, { files: [where.to, opened.identity], onProgress }),
          ),
        );
      }
      if (identity !== undefined) throw new Error("--identity is for --verify-restore.");
      const asked = { ...(org !== undefined && { org }), ...(full === true && { full }) };
      const made = await withProgress({ what: "Backing up", parts: "databases" }, (onProgress) =>
        runInServerOrHere(backupCommand, { ...where, ...asked }, { files: [where.to], onProgress }),
      );
      show(made);
      if (made.lacks_secret)
        print(
          "secret.key is not in a backup that is not encrypted: keep a copy elsewhere. Without it, nobody can use the databases.",
        );
    },
  },
);

function show({ outcome, summary }: { outcome: string; summary: string }): void {
  print(summary);
  if (outcome !== "succeeded") process.exitCode = 1;
}

export const restore = command(
  { name: "restore", description: "Restore a backup into the data directory" },
  {
    args: {
      from: { type: "positional", description: "The directory of the backup", required: true },
      org: {
        type: "string",
        description: "Only this organization's file, beside a running server too",
        valueHint: "id",
      },
      force: { type: "boolean", description: "Replace the files that are there. They are kept" },
      reason: { type: "string", description: "Why, for the record", valueHint: "text" },
      identity: { type: "string", description: "The identity that opens an encrypted backup", valueHint: "file" },
    },
    async run({ from, org, force = false, reason = "Restored from a backup.", identity }) {
      const opened = identity === undefined ? {} : { identity: resolve(identity) };
      const request = { from: resolve(from), force, reason, by: operator(), ...opened };
      await (org === undefined ? restoreAll(request) : restoreOne(org, request));
    },
  },
);

async function restoreOne(org: string, request: RestoreRequest): Promise<void> {
  const { kept, run } = await withProgress(restoring, (onProgress) =>
    runInServerOrHere(restoreSchool, { org, ...request }, { files: [request.from, request.identity], onProgress }),
  );
  print(`${org}: ${run.summary}`);
  if (kept !== null) print(keptIn(kept));
  if (run.outcome === "failed") process.exitCode = 1;
}

async function restoreAll(request: RestoreRequest): Promise<void> {
  const { dataDir: directory, secretKey: secret, store } = loadConfig(process.env);
  const server = store && (await import("../storage/server/fill-server.ts"));
  if (store) await server?.requireEmptyServer(store);
  await requireOwnData(directory);
  if (await isServerRunning(directory))
    throw new Error("A server uses the data directory. Stop it, or restore one school with --org ID.");
  const checker = createChecker();
  const options = { directory, checker, now: systemClock.now(), secret };
  const restored = await withProgress(restoring, async (onProgress) => {
    const staged = await restoreInstallation(request, { ...options, onProgress });
    if (store) await server?.fillServer({ directory, settings: store, checker });
    return staged;
  })
    .catch((error: unknown) => {
      if (error instanceof DataDirectoryLocked)
        throw new Error(`${error.message} Nothing was changed.`, { cause: error });
      throw error;
    })
    .finally(() => checker.close());
  print(`Restored ${restored.databases} databases to ${store?.url ?? directory}.`);
  if (restored.kept !== undefined) print(keptIn(restored.kept));
  for (const { organization, fault } of restored.missing) {
    print(`${organization}: the backup has no copy of this school: ${fault}`);
    process.exitCode = 1;
  }
  await finish(restored);
}

/** What root writes would be root's, and the server of another user could not use it. */
async function requireOwnData(directory: string): Promise<void> {
  const { uid } = await stat(directory).catch(() => ({ uid: 0 }));
  if (process.getuid?.() === 0 && uid !== 0)
    throw new Error(
      `${directory} belongs to the user ${uid}. Restore as that user, with sudo -u. Nothing was changed.`,
    );
}

async function finish({ hasSecret }: Restored): Promise<void> {
  if (!hasSecret) {
    print(
      "The secret is missing: put the secret.key of the backup's installation in the data directory, or set its WINDSOCK_SECRET_KEY. No server starts without it, and nothing else opens what it seals.",
    );
    return;
  }
  const { outcome, summary } = await withProgress(
    { what: "Bringing them into agreement", parts: "schools" },
    (onProgress) => runInServerOrHere(finishRestore, {}, { onProgress }),
  );
  print(summary);
  if (outcome === "failed") process.exitCode = 1;
}

const keptIn = (folder: string): string =>
  `The files from before are in ${folder}. Remove it when you no longer need it.`;
