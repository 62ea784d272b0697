import { Problem } from "../core/errors.ts";
import type { Kind } from "./store.ts";

/** SQLite's result codes that say the file or the machine is at fault, not the statement. */
const unavailable = /^SQLITE_(BUSY|LOCKED|CORRUPT|NOTADB|IOERR|CANTOPEN|FULL|READONLY|PERM|PROTOCOL|NOLFS)/;

/** What SQLite said, without what the statement carried: drizzle's own message holds the parameters' values. */
export class SqliteFailure extends Error {
  override readonly name = "SqliteFailure";
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/**
 * The error to throw in place of `error`: safe to log, and `TENANT_UNAVAILABLE` when it is a tenant that can't be used.
 * When it is the control database nothing here works any more, which is no tenant's fault: an opaque 500.
 */
export function fromSqlite(error: unknown, kind: Kind): unknown {
  const failure = sqliteFailure(error);
  if (failure === undefined) return error;
  if (kind === "control" || !unavailable.test(failure.code)) return failure;
  return new Problem("TENANT_UNAVAILABLE", "These records can't be opened at the moment.", { cause: failure });
}

/** SQLite's own name for what went wrong, if it was SQLite that failed. */
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
