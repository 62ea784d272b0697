/** The methods of a path, for the `Allow` header of a 405 (RFC 9110, 15.5.6). Elysia itself only responds with 404. */
import type { Route } from "./route.ts";

/** Returns the methods of all routes whose template matches the path. */
export function allowedMethods(routes: readonly Route[], path: string): readonly string[] {
  const wanted = segments(path);
  const methods = new Set<string>();
  for (const route of routes) if (matches(segments(route.path), wanted)) methods.add(route.method.toUpperCase());
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].sort((a, b) => a.localeCompare(b, "en"));
}

const segments = (path: string) => path.replace(/\/$/, "").split("/");

const matches = (template: readonly string[], path: readonly string[]) =>
  template.length === path.length &&
  template.every((part, at) => (part.startsWith(":") ? path[at] !== "" : part === path[at]));
