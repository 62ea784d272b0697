/** Routes that are served while their organization is suspended. All others are refused then. */
import type { Route } from "./route.ts";

/**
 * A hook for the `transform` of such a route. In its context, the organization's records can be written, too.
 *
 *     transform: [requires("organization:read"), servedWhileSuspended]
 */
export const servedWhileSuspended = (): void => undefined;

export function isServedWhileSuspended({ hooks: { transform } }: Route): boolean {
  const hooks: readonly unknown[] = Array.isArray(transform) ? transform : [transform];
  return hooks.some(
    (hook) => (typeof hook === "object" && hook !== null && "fn" in hook ? hook.fn : hook) === servedWhileSuspended,
  );
}
