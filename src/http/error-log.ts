/**
 * What may be logged of an error. Messages of drizzle hold parameters' values, those of validation hold payloads and
 * those of JSON.parse hold the text, and a stack begins with the message: so none of these reaches the log.
 */
import { ValidationError } from "elysia";
import { issuesOf } from "./validation-issues.ts";

interface LoggedError {
  name: string;
  code?: string;
  message?: string;
  /** Where a response broke its contract. */
  issues?: readonly string[];
  /** The frames alone, without the message above them. */
  stack?: readonly string[];
}

const TALKATIVE = new Set(["DrizzleQueryError", "ValidationError", "ZodError", "SyntaxError", "TransformDecodeError"]);

/** An error and its causes, outermost first. */
export function describeError(error: unknown): readonly LoggedError[] {
  const chain: LoggedError[] = [];
  for (let at = error; at !== undefined && at !== null && chain.length < 5; at = causeOf(at)) chain.push(describe(at));
  return chain;
}

const causeOf = (error: unknown) => (error instanceof Error ? error.cause : undefined);

function describe(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { name: typeof error };
  const name = error.constructor.name;
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  const quiet = TALKATIVE.has(name) || TALKATIVE.has(error.name) || error.message.startsWith("Failed query");
  const issues =
    error instanceof ValidationError ? { issues: issuesOf(error).map(({ path, code }) => `${path}: ${code}`) } : {};
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    name,
    ...code,
    ...issues,
    ...(quiet ? {} : { message: error.message }),
    stack: frames.map((line) => line.trim()),
  };
}
