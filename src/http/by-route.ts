import type { Route } from "./route.ts";

/** Returns a lookup of a property of the routes. They are read at the first call, when all of them exist. */
export function byRoute<T>(routes: () => readonly Route[], propertyOf: (route: Route) => T) {
  let known: ReadonlyMap<string, T> | undefined;
  return (method: string, path: string): T | undefined => {
    known ??= new Map(routes().map((route) => [`${route.method} ${route.path}`, propertyOf(route)]));
    return known.get(`${method} ${path}`);
  };
}
