/**
 * Who may call a route. The hook that authenticates is itself marked, so a route can't declare a protection that it does not
 * run. The OpenAPI document and the security tests read the mark.
 */
import type { Scope } from "../core/scopes.ts";
import type { Route } from "./route.ts";

/**
 * `organization`: a member of the organization in the path. `named-organization`: of the one in `X-Org-Id`.
 * `user-or-member`: of the one in `X-Org-Id`, or an account without an organization.
 */
export type Security =
  | "open"
  | "optional"
  | "user"
  | "user-or-member"
  | "organization"
  | "named-organization"
  | { scope: Scope };

/** Returns whether a caller has a session. */
export const isBySession = (security: Security): boolean => security !== "open" && typeof security === "string";

/** Returns whether callers need no credential. */
export const isOpen = (security: Security): boolean => security === "open" || security === "optional";

/** Returns whether POST, PATCH and DELETE requests are counted for the account. */
export const countsWrites = (security: Security): boolean =>
  security === "user" || security === "user-or-member" || security === "organization";

interface Mark {
  security: Security;
  /** Whether the route gets databases from its gate. */
  hasData: boolean;
}

const marks = new WeakMap<object, Mark>();

/** Marks a hook that enforces `mark.security`. */
export function enforces<Hook extends object>(mark: Mark, hook: Hook): Hook {
  marks.set(hook, mark);
  return hook;
}

/** @throws the route has no gate of `createHttp`, and so would be open by accident */
export const securityOf = (route: Route): Security => markOf(route).security;

/** Returns whether the route gets databases from its gate, so that a request may fail because of one. */
export const hasData = (route: Route): boolean => markOf(route).hasData;

function markOf(route: Route): Mark {
  const hooks: unknown = route.hooks.transform;
  for (const hook of Array.isArray(hooks) ? hooks : [hooks]) {
    const mark = marks.get(typeof hook === "object" && hook !== null && "fn" in hook ? hook.fn : hook);
    if (mark !== undefined) return mark;
  }
  throw new Error(`${route.method} ${route.path} has no gate. Add .use(http.open), .use(http.signedIn), …`);
}
