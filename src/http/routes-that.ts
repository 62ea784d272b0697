import type { Route } from "./route.ts";

/** Tells of which routes something holds. Asked of them at the first question: they are complete by then. */
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

/** Whether it reads a body. */
export const readsBody = ({ hooks }: Route): boolean => hooks.body !== undefined;
