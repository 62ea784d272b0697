import { Problem } from "../../core/errors.ts";
import { SqliteFailure } from "../sqlite-error.ts";
import type { Kind } from "../store.ts";

/** An error of the server, or of the way to it. */
export class EngineError extends Error {
  override readonly name = "EngineError";

  constructor(
    /** The server's code, or one of ours: `CONNECTION_LOST`, `NO_ANSWER`, `NOT_IN_TRANSACTION`, `SCHEMA_CHANGED`, `COMMIT_UNKNOWN`, `VALUE_TOO_LARGE`. */
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${code}: ${message}`, options);
  }
}

/** The connection ended, or could not be made. Whether the last request was carried out is unknown. */
export const connectionLost = (message: string, cause?: unknown) =>
  new EngineError("CONNECTION_LOST", message, { cause });

/** Returns whether the last request may have been carried out. An answer with another error says that it was not. */
export const isUnanswered = (error: unknown): boolean =>
  /^(CONNECTION_LOST|NO_ANSWER)$/.test(engineError(error)?.code ?? "");

/** Finds the server's error under drizzle's, whose message contains the parameters' values. */
export function engineError(error: unknown): EngineError | undefined {
  for (let link = error; link instanceof Error; link = link.cause) if (link instanceof EngineError) return link;
  return undefined;
}

/**
 * The transaction was not carried out and may be tried again: another node writes (`BUSY`, `TIMEOUT`), the server has put the
 * namespace away meanwhile (its 404 and `EXPIRED`), or the connection ended before the commit was sent.
 */
const passing =
  /^(SQLITE_(BUSY|LOCKED|SCHEMA)|TRANSACTION_(TIMEOUT|BUSY)|NOT_IN_TRANSACTION|STREAM_(EXPIRED|NOT_FOUND|NOT_OPEN)|NAMESPACE_DOES_NOT_EXIST|CONNECTION_LOST)/;

/** Returns whether a transaction, or a read, may be tried again after this error. */
export const isPassing = (error: unknown): boolean => passing.test(engineError(error)?.code ?? "");

/** Faults of the server or its machine. Other codes of SQLite are faults of the statement. */
const unavailable =
  /^(SQLITE_(BUSY|LOCKED|CORRUPT|NOTADB|IOERR|CANTOPEN|FULL|READONLY|PERM|PROTOCOL|NOLFS|SCHEMA|NOMEM)|TRANSACTION_|NOT_IN_TRANSACTION|STREAM_|NAMESPACE_|CONNECTION_LOST|NO_ANSWER|COMMIT_UNKNOWN|SCHEMA_CHANGED|BLOCKED|AUTH_|ADMIN_REFUSED|INTERNAL)/;

/** As of files: the namespace lacks a part of the schema, or has a value that the program does not write. */
const namespaceFault = /\bno such (table|column|index)\b|has no column named|\bmalformed JSON\b/;

/** As `fromSqlite`: returns the error to throw instead, which is safe to log, and 503 unless the statement is at fault. */
export function fromEngine(error: unknown, kind: Kind): unknown {
  const failure = engineError(error);
  if (failure === undefined) return error;
  if (unavailable.test(failure.code))
    return new Problem("UNAVAILABLE", "The server can't read or store its records at the moment.", {
      cause: failure,
      retryAfter: 1,
    });
  if (kind === "tenant" && namespaceFault.test(failure.message))
    return new Problem("TENANT_UNAVAILABLE", "These records can't be opened at the moment.", { cause: failure });
  return failure.code.startsWith("SQLITE_") ? new SqliteFailure(failure.code, failure.message) : failure;
}
