/**
 * Selects the parts of an error that may be logged. Messages of drizzle contain parameter values, those of validation
 * contain payloads, those of JSON.parse contain the text, and a stack starts with the message. None of these is logged.
 */
import { ValidationError } from "elysia";
import { z } from "zod";
import { issuesOf, loggedIssues } from "./validation-issues.ts";

interface LoggedError {
  name: string;
  code?: string;
  message?: string;
  /** The fields of a response that do not match its schema. */
  issues?: readonly string[];
  /** The frames without the message. */
  stack?: readonly string[];
}

/** Errors whose messages contain values. */
const UNSAFE_MESSAGES = new Set([
  "DrizzleQueryError",
  "ValidationError",
  "ZodError",
  "SyntaxError",
  "TransformDecodeError",
]);

/** Returns an error and its causes, outermost first. */
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
  const isUnsafe =
    UNSAFE_MESSAGES.has(name) || UNSAFE_MESSAGES.has(error.name) || error.message.startsWith("Failed query");
  const issues = error instanceof ValidationError ? { issues: responseIssues(error) } : {};
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    name,
    ...code,
    ...issues,
    ...(isUnsafe ? {} : { message: error.message }),
    stack: frames.map((line) => line.trim()),
  };
}

/** Returns the faults of a response. The error has only the first. */
function responseIssues({ validator, value }: { validator: unknown; value: unknown }): readonly string[] {
  const isWrapped = typeof validator === "object" && validator !== null && "schema" in validator;
  const schema = isWrapped ? validator.schema : validator;
  if (!(schema instanceof z.ZodType)) return [];
  return loggedIssues(issuesOf(schema, "response", schema.safeParse(value).error?.issues ?? [], value));
}
