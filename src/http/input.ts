/**
 * Validates bodies and queries, once. Elysia calls `~standard.validate` of a schema and makes an error of the first issue
 * and of the whole value as text; all issues would take a second validation. So the schemas of inputs throw the error
 * themselves.
 */
import { z } from "zod";
import { type Issue, Problem } from "../core/errors.ts";
import { plainMessage } from "./plain-messages.ts";
import { prototypeKeys } from "./prototype-keys.ts";
import type { Route } from "./route.ts";
import { issuesOf } from "./validation-issues.ts";

/** A body or a query that does not match its schema. The paths of its issues begin with `body` or `query`. */
export class InvalidInput extends Problem {
  constructor(issues: readonly Issue[]) {
    super("VALIDATION_ERROR", "The request is not valid.", { issues });
  }
}

/** Makes the bodies and queries of the routes throw `InvalidInput`. */
export function throwInvalidInput(routes: readonly Route[]): void {
  for (const { hooks } of routes)
    for (const root of ["body", "query"] as const) {
      const schema: unknown = hooks[root];
      if (schema instanceof z.ZodType)
        Object.assign(schema["~standard"], { validate: (value: unknown) => ({ value: read(schema, root, value) }) });
    }
}

function read(schema: z.ZodType, root: "body" | "query", value: unknown): unknown {
  const { error, data } = schema.safeParse(value, { error: plainMessage });
  const issues = error ? issuesOf(schema, root, error.issues, value) : [];
  const known = new Set(issues.map(({ path }) => path));
  if (root === "body") issues.push(...prototypeKeys(value, root).filter(({ path }) => !known.has(path)));
  if (issues.length > 0) throw new InvalidInput(issues);
  return data;
}
