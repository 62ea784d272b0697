import type { z } from "zod";
import type { Route } from "./route.ts";

const marked = new WeakSet<object>();

/**
 * Marks a response that carries a secret: `responses({ 201: shownOnce(data(createdApiKey)) })`. It is never kept to
 * answer a repeat of the request with, since a secret must not lie about in a database.
 */
export function shownOnce<Schema extends z.ZodType>(schema: Schema): Schema {
  marked.add(schema);
  return schema;
}

/** Whether one of the route's answers carries a secret. */
export const showsSecret = ({ hooks }: Route): boolean =>
  Object.values(hooks.response ?? {}).some(
    (schema) => typeof schema === "object" && schema !== null && marked.has(schema),
  );
