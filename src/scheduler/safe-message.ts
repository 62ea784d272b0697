import { Problem } from "../core/errors.ts";
import { messageOf, systemMessage } from "../core/system-error.ts";
import { NoSpace } from "../storage/disk-space.ts";
import { SqliteFailure } from "../storage/sqlite-error.ts";

/**
 * Returns the part of an error that may be stored and shown: messages of this program, SQLite's own, and the system's about a file.
 * Other messages may contain parameter values; they are only logged.
 */
export function safeMessage(error: unknown): string {
  if (error instanceof Problem) {
    const { cause } = error;
    return `${error.message}${cause instanceof SqliteFailure ? ` (${cause.message})` : ""}`;
  }
  if (error instanceof SqliteFailure || error instanceof NoSpace) return messageOf(error);
  const ofSystem = systemMessage(error);
  if (ofSystem !== undefined) return ofSystem;
  if (!(error instanceof Error)) return "The job failed. See the log for the cause.";
  const code = "code" in error && typeof error.code === "string" ? ` ${error.code}` : "";
  return `${error.constructor.name}${code}. See the log for the cause.`;
}
