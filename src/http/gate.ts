/**
 * A gate is the plugin that authenticates the requests of a group of routes. Elysia reads the body before `derive` and
 * validates after it, so requests with a body are authenticated in a parse hook: a 401 takes precedence over every other
 * error.
 */
import { Elysia } from "elysia";
import type { BodyLimits } from "./body-limits.ts";
import { FileBody } from "./file-body.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { refuseQuery } from "./no-query.ts";
import { parseQuery } from "./parse-query.ts";
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
  /** Called after authentication, when the body is read. The body of a file is its hash. */
  withBody?(arrival: Arrival, granted: Granted): Promise<Granted>;
  /** Returns the response to a repeat, after `withBody`. */
  replay?(arrival: Pick<Arrival, "request" | "set">): Response | undefined;
  /** Called after the route's handler. */
  end?(request: Request): Promise<void>;
}

/** The result of the parse hook for "no body". After `undefined`, Elysia would read the body itself. */
const NO_BODY = Symbol("no body");

export function gate<const Name extends string, Granted extends Record<string, unknown>>(
  {
    stateOf,
    bodyLimits,
    takesQuery,
    accessVersion,
    hasData = true,
    withBody,
    replay,
    end,
  }: GateOptions<NoInfer<Granted>>,
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

  /** A body can take long to arrive, and the session may end meanwhile: then `admitOnce` authenticates again. */
  const forget = (request: Request, version: number | undefined): void => {
    if (version === undefined || accessVersion?.() !== version) stateOf(request).admitted = undefined;
  };

  /** The route reads a file itself, and calls `arrived` when it has. */
  const fileOf = (arrival: Arrival, limits: BodyLimits, version: number | undefined): FileBody => {
    const { request } = arrival;
    idempotencyKey(request.headers); // an invalid one is refused now
    return new FileBody(request, limits, async (hash) => {
      forget(request, version);
      const granted = await admitOnce(arrival);
      const renewed = withBody ? await withBody({ ...arrival, body: hash }, granted) : granted;
      return { granted: renewed, repeated: replay?.(arrival) };
    });
  };

  const plugin = new Elysia({ name: `gate:${name}` })
    .onParse({ as: "scoped" }, async ({ request, params, set, route }) => {
      const version = accessVersion?.();
      await admitOnce({ request, params, set, route });
      const limits = bodyLimits(request.method, route);
      if (limits === undefined) return NO_BODY;
      if (limits.form === "file") return fileOf({ request, params, set, route }, limits, version);
      const body = await readBody(request, limits);
      forget(request, version);
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
        if (context.body instanceof FileBody) return granted;
        return withBody ? withBody({ request, params, set, route, body: context.body }, granted) : granted;
      }),
    )
    .onTransform({ as: "scoped" }, (context) => {
      if (context.request.url.includes("?")) context.query = parseQuery(context.request.url) as typeof context.query;
    })
    .onBeforeHandle({ as: "scoped" }, ({ request: { method, url }, route }) => {
      if (url.includes("?") && !takesQuery(method === "HEAD" ? "GET" : method, route)) refuseQuery(url);
    });
  if (replay) plugin.onBeforeHandle({ as: "scoped" }, ({ request, set }) => replay({ request, set }));
  if (end) plugin.onAfterHandle({ as: "scoped" }, async ({ request }) => end(request));
  return plugin;
}
