import type { z } from "zod";
import type { Issue } from "../core/errors.ts";
import { faultOf } from "./fault-of.ts";
import { plainMessage } from "./plain-messages.ts";

/** Reads a line by a schema. An issue has the column as its path: an entry of a list has no column of its own. */
export function readLine<T>(schema: z.ZodType<T>, raw: object): { value: T } | { issues: readonly Issue[] } {
  const { data, error } = schema.safeParse(raw, { error: plainMessage });
  if (error === undefined) return { value: data };
  const issues = error.issues.map((issue): Issue => {
    const name = String(issue.path[0] ?? "");
    const { message } = issue;
    return name in raw ? { path: name, ...faultOf(issue), message } : { path: name, code: "required", message };
  });
  return { issues };
}
