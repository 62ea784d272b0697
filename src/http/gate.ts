/**
 * A gate is the plugin that authenticates the requests of a group of routes. Elysia reads the body before `derive` and
 * validates after it, so requests with a body are authenticated in a parse hook: a 401 takes precedence over every other
 * error.
 */
import { Elysia } from "elysia";
import type { BodyLimits } from "./body-limits.ts";
import { refuseQuery } from "./no-query.ts";
import { checkDeclaredLength, readBody } from "./request-body.ts";
import type { StateOf } from "./request-state.ts";
import { enforces, type Security } from "./route-security.ts";

/** A request as a gate receives it. */
export interface Arrival {
  request: Request;
  /** The route's template. */
  route: string;
  params: Readonly<Record<string, string | undefined>>;
  set: { headers: Record<string, string | number | string[] | undefined>; status?: number | string };
  /** The parsed body, not yet validated; undefined before it is read. */
  body?: unknown;
}

interface GateOptions<Granted> {
  stateOf: StateOf;
  /** Returns the limits of the route's body; `undefined` for a route that leaves it unread. */
  bodyLimits(method: string, path: string): BodyLimits | undefined;
  /** Returns whether the route has a schema for its query. Other routes take no query. */
  takesQuery(method: string, path: string): boolean | undefined;
  /** Changes with every write by which a caller may lose access. */
  accessVersion?(): number;
  /** False for routes that use no database. */
  hasData?: boolean;
  /** Called after authentication, when the body is read. */
  withBody?(arrival: Arrival, granted: Granted): Promise<Granted>;
}

/** The result of the parse hook for "no body". After `undefined`, Elysia would read the body itself. */
const NO_BODY = Symbol("no body");

export function gate<const Name extends string, Granted extends Record<string, unknown>>(
  { stateOf, bodyLimits, takesQuery, accessVersion, hasData = true, withBody }: GateOptions<NoInfer<Granted>>,
  name: Name,
  security: Security,
  admit: (arrival: Arrival) => Promise<Granted>,
) {
  /** Memoized: both hooks call this, and authenticating twice would charge the rate limit twice. */
  const admitOnce = (arrival: Arrival): Promise<Granted> => {
    const state = stateOf(arrival.request);
    // A route has one gate, so the stored promise has this type.
    state.admitted ??= admit(arrival);
    return state.admitted as Promise<Granted>;
  };

  return new Elysia({ name: `gate:${name}` })
    .onParse({ as: "scoped" }, async ({ request, params, set, route }) => {
      const version = accessVersion?.();
      await admitOnce({ request, params, set, route });
      const limits = bodyLimits(request.method, route);
      if (limits === undefined) return NO_BODY;
      const body = await readBody(request, limits);
      // A body can take long to arrive, and the session may end meanwhile: then `derive` authenticates again.
      if (version === undefined || accessVersion?.() !== version) stateOf(request).admitted = undefined;
      // `null` is a body, which every schema rejects.
      return body === undefined ? NO_BODY : body;
    })
    .derive(
      { as: "scoped" },
      // Elysia analyses this function's text: for other uses of `context`, it would parse cookies, query and headers.
      enforces({ security, hasData }, async (context) => {
        const { request, params, set, route } = context;
        const granted = await admitOnce({ request, params, set, route });
        if (context.body === NO_BODY) {
          checkDeclaredLength(request);
          context.body = undefined;
        }
        return withBody ? withBody({ request, params, set, route, body: context.body }, granted) : granted;
      }),
    )
    .onBeforeHandle({ as: "scoped" }, ({ request: { method, url }, route }) => {
      if (url.includes("?") && !takesQuery(method === "HEAD" ? "GET" : method, route)) refuseQuery(url);
    });
}
