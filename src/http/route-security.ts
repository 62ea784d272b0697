/**
 * Who may call a route. The very hook that authenticates is the mark, so that a route can't claim a protection it does
 * not run: the OpenAPI document and the security tests read it from here.
 */
import type { Route } from "./route.ts";

export type Security = "open" | "optional" | "user" | "organization" | { scope: string };

const marks = new WeakMap<object, Security>();

/** Marks a hook as what enforces `security`. */
export function enforces<Hook extends object>(security: Security, hook: Hook): Hook {
  marks.set(hook, security);
  return hook;
}

/** @throws when the route uses none of the plugins of `createHttp`: it would be open by accident */
export function securityOf(route: Route): Security {
  const hooks: unknown = route.hooks.transform;
  for (const hook of Array.isArray(hooks) ? hooks : [hooks]) {
    const mark = marks.get(typeof hook === "object" && hook !== null && "fn" in hook ? hook.fn : hook);
    if (mark !== undefined) return mark;
  }
  throw new Error(`${route.method} ${route.path} does not say who may call it: .use one of http.open, signedIn, …`);
}
