import { dirname } from "node:path";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { diskFull, Problem } from "../core/errors.ts";
import { isFull } from "./disk-space.ts";
import type { Kind } from "./store.ts";

/** SQLite's result codes for faults of the file or the machine. Other codes are faults of the statement. */
const unavailable = /^SQLITE_(BUSY|LOCKED|CORRUPT|NOTADB|IOERR|CANTOPEN|FULL|READONLY|PERM|PROTOCOL|NOLFS)/;

/** The codes for an index of the `-wal` file that can't grow, and for a file that can't be created, also on a full disk. */
const hidesFullDisk = /^SQLITE_(IOERR|CANTOPEN)/;

/** The file lacks a part of the schema that it had when it was migrated. */
const schemaFault = /\bno such (table|column|index)\b|has no column named/;

/** A value in a column of JSON is not JSON. The program writes none, and binds none. */
const valueFault = /\bmalformed JSON\b/;

/** SQLite's own message. drizzle's message contains the parameters' values. */
export class SqliteFailure extends Error {
  override readonly name = "SqliteFailure";
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/**
 * Returns the error to throw instead of `error`: safe to log, and with status 503 if the file or the machine is at fault:
 * `TENANT_UNAVAILABLE` for a tenant, `UNAVAILABLE` for the control database and for a full disk.
 *
 * @param path of the database
 */
export function fromSqlite(error: unknown, kind: Kind, path: string): unknown {
  if (error instanceof DrizzleQueryError && error.cause instanceof Problem) return error.cause; // not SQLite's
  const failure = sqliteFailure(error);
  if (failure === undefined) return error;
  if (isDiskFull(failure) || (hidesFullDisk.test(failure.code) && isFull(dirname(path)))) return diskFull(failure);
  const isUnavailable = unavailable.test(failure.code);
  if (kind === "control") return isUnavailable ? controlUnavailable(failure) : failure;
  const isFileFault = isUnavailable || schemaFault.test(failure.message) || valueFault.test(failure.message);
  if (!isFileFault) return failure;
  return new Problem("TENANT_UNAVAILABLE", "These records can't be opened at the moment.", { cause: failure });
}

/** The control database, or the data directory, can't be used. */
export const controlUnavailable = (cause: unknown) =>
  new Problem("UNAVAILABLE", "The server can't read or store its records at the moment.", { cause });

/** Returns whether the file itself is damaged, which no retry changes. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error) ?? "");

/** Returns whether another connection has the file locked, which ends by itself. */
export const isLocked = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error) ?? "");

/** Returns whether the disk is full. */
export const isDiskFull = (error: unknown): boolean => {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return sqliteCode(error) === "SQLITE_FULL" || code === "ENOSPC" || code === "EDQUOT";
};

/** Returns whether the disk is full, which the disk's monitor logs: see `disk-space.ts`. */
export const isLoggedByDisk = (error: unknown): boolean =>
  isDiskFull(error) || (error instanceof Problem && error.reason === "disk_full");

/** Damage that SQLite does not notice, as SQLite reports other damage. */
export const invalidText = () => new SqliteFailure("SQLITE_CORRUPT", "a text in the file is not UTF-8");

/** Returns SQLite's result code, if the error came from SQLite. */
export const sqliteCode = (error: unknown): string | undefined => sqliteFailure(error)?.code;

function sqliteFailure(error: unknown): SqliteFailure | undefined {
  for (let link = error; link instanceof Error; link = link.cause) {
    if (link instanceof SqliteFailure) return link;
    if ("code" in link && typeof link.code === "string" && link.code.startsWith("SQLITE_")) {
      return new SqliteFailure(link.code, link.message);
    }
  }
  return undefined;
}
