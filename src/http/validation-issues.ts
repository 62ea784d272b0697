/**
 * Converts a failed validation into issues that do not contain the value: it may be a password, and issues are logged and
 * sent.
 */
import { z } from "zod";
import type { Issue } from "../core/errors.ts";
import { plainMessage } from "./plain-messages.ts";

/** Limits the size of the response. */
const MAX_ISSUES = 100;
const MAX_SEGMENT = 100;

/** The parts of Elysia's ValidationError that are used here. */
interface Failure {
  type: string;
  validator: unknown;
  value: unknown;
}

/** Returns all issues of a failed `body`, `query` or `params`. Elysia stops at the first, so the schema runs again. */
export function issuesOf({ type, validator, value }: Failure): readonly Issue[] {
  const schema = zodSchemaOf(validator);
  const result = schema?.safeParse(value, { error: plainMessage });
  if (!result || result.success) return [{ path: type, code: "invalid", message: "Is not valid." }];
  return result.error.issues.flatMap((issue) => toIssues(issue, type)).slice(0, MAX_ISSUES);
}

function zodSchemaOf(validator: unknown): z.ZodType | undefined {
  if (validator instanceof z.ZodType) return validator;
  if (typeof validator !== "object" || validator === null || !("schema" in validator)) return undefined;
  return validator.schema instanceof z.ZodType ? validator.schema : undefined;
}

function toIssues(issue: z.core.$ZodIssue, root: string): Issue[] {
  const at = [root, ...issue.path.map(segment)];
  if (issue.code === "unrecognized_keys")
    return issue.keys.slice(0, MAX_ISSUES).map((key) => ({
      path: [...at, segment(key)].join("."),
      code: issue.code,
      message: "There is no such field.",
    }));
  // The schema of a record's key has its own message.
  const { message } = (issue.code === "invalid_key" && issue.issues[0]) || issue;
  return [{ path: at.join("."), code: issue.code, message }];
}

const segment = (key: PropertyKey) => String(key).slice(0, MAX_SEGMENT);
