import { messageOf } from "../../core/system-error.ts";
import { copyDatabase, stageFile } from "../backup/copy-file.ts";
import { Connection } from "../connection.ts";
import { migrate } from "../migrations.ts";
import { migrationsOf } from "../migrations-of.ts";
import { openSchool, prepareSchool, sealSchool } from "../move/school-file.ts";
import { isDiskFull, sqliteCode } from "../sqlite-error.ts";
import { waitOutLocks } from "../wait-out-locks.ts";
import { checkFile, openReadOnly } from "./check-file.ts";
import { invalidIn } from "./invalid-text.ts";
import type { Result, Task } from "./messages.ts";
import { scrubFile } from "./scrub-file.ts";

/** Performs one task. A fault of the file that SQLite or libSQL does not survive ends the process. */
export async function performTask(task: Task, onTable: (table: string) => void): Promise<Result> {
  try {
    return await waitOutLocks(() => perform(task, onTable));
  } catch (error) {
    const message = messageOf(error);
    return { kind: "error", message, code: isDiskFull(error) ? "SQLITE_FULL" : sqliteCode(error) };
  }
}

async function perform(task: Task, onTable: (table: string) => void): Promise<Result> {
  if (task.kind === "check") return { kind: "check", ...(await checkFile(task.path, task.expected, onTable)) };
  if (task.kind === "scrub") return { kind: "scrub", ...(await scrubFile({ ...task, onTable })) };
  if (task.kind === "copy") return { kind: "copy", ...(await copyDatabase({ ...task, onTable })) };
  if (task.kind === "stage") return { kind: "stage", ...(await stageFile({ ...task, onTable })) };
  if (task.kind === "seal-school") return { kind: "seal-school", ...(await sealSchool(task)) };
  if (task.kind === "open-school") return { kind: "open-school", ...(await openSchool({ ...task, onTable })) };
  if (task.kind === "prepare-school") {
    await prepareSchool(task.path, task.key);
    return { kind: "prepare-school" };
  }
  if (task.kind === "migrate") return migrateFile(task.path);
  onTable("audit_log");
  return readChain(task.path, task.sealedSeq);
}

async function migrateFile(path: string): Promise<Result> {
  const connection = new Connection(path, "write");
  try {
    await migrate(connection, "tenant", migrationsOf.tenant);
    return { kind: "migrate" };
  } finally {
    connection.close();
  }
}

async function readChain(path: string, sealedSeq: number): Promise<Result> {
  // Loaded only here: they take most of the start of the process.
  const [{ drizzleOn }, { readAuditChain }] = await Promise.all([import("../drizzle-on.ts"), import("../audit.ts")]);
  const connection = openReadOnly(path);
  try {
    for await (const fault of invalidIn(connection, "audit_log")) return { kind: "audit", chain: { rows: 0, fault } };
    return { kind: "audit", chain: await readAuditChain(drizzleOn(connection), sealedSeq) };
  } finally {
    connection.close();
  }
}
