import { templateOf } from "../../../http/openapi-operation.ts";
import type { Route } from "../../../http/route.ts";
import { securityOf } from "../../../http/route-security.ts";

/** @returns the routes that stand behind a scope: asked of the routes themselves, a list of them could be wrong */
export function openedBy(routes: readonly Route[]): (scope: string) => string[] {
  const byScope = new Map<string, string[]>();
  for (const route of routes) {
    const security = securityOf(route);
    if (typeof security !== "object") continue;
    const opened = byScope.get(security.scope) ?? [];
    byScope.set(security.scope, [...opened, `${route.method} ${templateOf(route.path)}`]);
  }
  return (scope) => byScope.get(scope) ?? [];
}
