import type { Route } from "./route.ts";

/** Tells which routes read a body. Built at the first question: routes are complete by then, whatever the order of use. */
export function bodyRoutes(routes: () => readonly Route[]) {
  let known: ReadonlySet<string> | undefined;
  return (method: string, path: string): boolean => {
    known ??= new Set(
      routes()
        .filter((route) => route.hooks.body !== undefined)
        .map((route) => `${route.method} ${route.path}`),
    );
    return known.has(`${method} ${path}`);
  };
}
