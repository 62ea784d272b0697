/** Converts issues of zod into issues that do not contain the value: it may be a password, and issues are logged and sent. */
import { z } from "zod";
import type { Issue } from "../core/errors.ts";
import { type IssueParams, issueCodes } from "../core/issues.ts";
import { faultOf } from "./fault-of.ts";
import { nearestName } from "./nearest-name.ts";

/** Limits the sizes of responses and of log lines. */
export const MAX_ISSUES = 100;
const MAX_SEGMENT = 100;

export const segment = (key: PropertyKey) => String(key).slice(0, MAX_SEGMENT);

export function issuesOf(
  schema: z.ZodType,
  root: "body" | "query" | "response",
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
): Issue[] {
  const messages = root === "query" ? queryMessages(schema, value) : bodyMessages;
  return issues.flatMap((issue): Issue[] => {
    const { path, code } = issue;
    const declared = [root, ...path.slice(0, declaredLength(schema, path)).map(segment)].join(".");
    const at = [root, ...path.map(segment)].join(".");
    const hidden = at === declared ? {} : { declared };
    if (code === "unrecognized_keys")
      return issue.keys.map((key) => ({
        path: `${at}.${segment(key)}`,
        ...messages.unknown(key),
        declared,
      }));
    if (isMissing(value, path)) return [{ path: at, ...missing, message: messageOf(issue), ...hidden }];
    return [{ path: at, ...(messages.twice(path) ?? { ...faultOf(issue), message: messageOf(issue) }), ...hidden }];
  });
}

/** Whether the value has nothing at the path: whatever the schema found, the fault is that it is missing. */
function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return true;
    at = Reflect.get(at, key);
  }
  return at === undefined;
}

/** The schema of a record's key has its own message. */
const messageOf = (issue: z.core.$ZodIssue) => ((issue.code === "invalid_key" && issue.issues[0]) || issue).message;

const missing = { code: "required", params: {} } as const;

/** A field that no schema has. Its names are not said: they are in the document. */
export const noSuchField = {
  code: "no_such_field",
  params: { nearest: null } satisfies IssueParams<"no_such_field">,
  message: "There is no such field.",
} as const;

const givenTwice = { code: "given_twice", params: {}, message: issueCodes.given_twice } as const;

const bodyMessages = { unknown: () => noSuchField, twice: () => undefined };

function queryMessages(schema: z.ZodType, value: unknown) {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const given = new Map(Object.entries(value ?? {}));
  return {
    unknown: (name: string) => noSuchParameter(name, names),
    /** Elysia makes a list of a parameter that is given twice. */
    twice: ([name]: readonly PropertyKey[]) => (Array.isArray(given.get(String(name))) ? givenTwice : undefined),
  };
}

/** @param names the parameters of the route */
export function noSuchParameter(name: string, names: readonly string[]) {
  const nearest = nearestName(name, names) ?? null;
  const meant = nearest !== null && ` Did you mean \`${nearest}\`?`;
  const list = meant || ` There are: ${names.map((known) => `\`${known}\``).join(", ")}.`;
  const message = names.length === 0 ? "This route has no query parameters." : `There is no such parameter.${list}`;
  return { code: "no_such_field", params: { nearest } satisfies IssueParams<"no_such_field">, message } as const;
}

/** Returns how many segments of a path the schema declares. The client chose a record's keys, so they and all below do not count. */
function declaredLength(schema: z.ZodType, path: readonly PropertyKey[]): number {
  let at: unknown = schema;
  for (const [index, key] of path.entries()) {
    at = inside(at);
    if (at instanceof z.ZodObject) at = at.shape[String(key)];
    else if (at instanceof z.ZodArray) at = at.element;
    else return index;
  }
  return path.length;
}

/** Returns the schema without what allows null or nothing, or transforms its output. */
function inside(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return inside(schema.unwrap());
  if (schema instanceof z.ZodPipe) return inside(schema.in);
  return schema;
}

/** Returns `path: code` of each kind of fault, for the log. Names that the client chose are counted, not logged. */
export function loggedIssues(issues: readonly Issue[]): string[] {
  const counts = new Map<string, number>();
  for (const { path, declared, code } of issues) {
    const kind = `${declared ?? path}: ${code}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const lines = [...counts].map(([kind, count]) => (count === 1 ? kind : `${kind} (${count})`));
  return lines.slice(0, MAX_ISSUES);
}
