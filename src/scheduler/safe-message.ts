import { Problem } from "../core/errors.ts";
import { SqliteFailure } from "../storage/sqlite-error.ts";

/**
 * What may be kept and shown of an error: what we have written ourselves, and what SQLite says of a statement. Other
 * messages may hold anything, parameters' values included; the log has them, as far as it may.
 */
export function safeMessage(error: unknown): string {
  if (error instanceof Problem) {
    const { cause } = error;
    return `${error.code}: ${error.message}${cause instanceof SqliteFailure ? ` (${cause.message})` : ""}`;
  }
  if (error instanceof SqliteFailure) return error.message;
  if (!(error instanceof Error)) return "It failed; the log says why.";
  const code = "code" in error && typeof error.code === "string" ? ` ${error.code}` : "";
  return `${error.constructor.name}${code}; the log says more.`;
}
