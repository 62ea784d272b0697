import type { z } from "zod";
import type { Route } from "./route.ts";

const marked = new WeakSet<object>();

/**
 * Marks a response that has a secret: `responses({ 201: shownOnce(data(createdApiKey)) })`. It is never stored for repeats
 * of the request, so the secret is not in a database.
 */
export function shownOnce<Schema extends z.ZodType>(schema: Schema): Schema {
  marked.add(schema);
  return schema;
}

/** Returns whether one of the route's responses has a secret. */
export const showsSecret = ({ hooks }: Route): boolean =>
  Object.values(hooks.response ?? {}).some(
    (schema) => typeof schema === "object" && schema !== null && marked.has(schema),
  );
