import type { Route } from "./route.ts";

/** Returns a lookup of the routes that match a predicate. The set is made at the first call, when all routes exist. */
export function routesThat(routes: () => readonly Route[], holds: (route: Route) => boolean) {
  let known: ReadonlySet<string> | undefined;
  return (method: string, path: string): boolean => {
    known ??= new Set(
      routes()
        .filter(holds)
        .map((route) => `${route.method} ${route.path}`),
    );
    return known.has(`${method} ${path}`);
  };
}

/** Returns whether the route reads a body. */
export const readsBody = ({ hooks }: Route): boolean => hooks.body !== undefined;
