/**
 * Makes the plugin that stands before a group of routes. Elysia reads the body before `derive` and validates after it,
 * so a request with a body is let in, or not, in a parse hook: 401 comes first whatever was sent.
 */
import { Elysia } from "elysia";
import { checkDeclaredLength, readJsonBody } from "./json-body.ts";
import type { StateOf } from "./request-state.ts";
import { enforces, type Security } from "./route-security.ts";

/** What a gate sees of a request. */
export interface Arrival {
  request: Request;
  /** The route's template. */
  route: string;
  params: Readonly<Record<string, string | undefined>>;
  set: { headers: Record<string, string | number | string[] | undefined>; status?: number | string };
  /** What was read of it, not yet validated; nothing, while it is still on its way. */
  body?: unknown;
}

interface GateOptions<Granted> {
  stateOf: StateOf;
  /** Whether the route reads a body; where none is expected, one that is sent is left unread. */
  hasBody(method: string, path: string): boolean;
  /** What else happens to a request that was let in, once its body is there. */
  withBody?(arrival: Arrival, granted: Granted): Promise<Granted>;
}

/** Stands for "no body": a parse hook that returns `undefined` would make Elysia read the body by itself. */
const NO_BODY = Symbol("no body");

export function gate<const Name extends string, Granted extends Record<string, unknown>>(
  { stateOf, hasBody, withBody }: GateOptions<NoInfer<Granted>>,
  name: Name,
  security: Security,
  admit: (arrival: Arrival) => Promise<Granted>,
) {
  /** Memoized: both hooks call this, and a second look would charge the rate limit twice. */
  const admitOnce = (arrival: Arrival): Promise<Granted> => {
    const state = stateOf(arrival.request);
    // A route has one gate, so what is there is of this type.
    state.admitted ??= admit(arrival);
    return state.admitted as Promise<Granted>;
  };

  return new Elysia({ name: `gate:${name}` })
    .onParse({ as: "scoped" }, async ({ request, params, set, route }) => {
      await admitOnce({ request, params, set, route });
      if (!hasBody(request.method, route)) return NO_BODY;
      const body = await readJsonBody(request);
      // A body may take its time: who was let in when it began may be nobody by now, so `derive` looks again.
      stateOf(request).admitted = undefined;
      // `null` is a body, and for every contract here a wrong one.
      return body === undefined ? NO_BODY : body;
    })
    .derive(
      { as: "scoped" },
      // Elysia reads this function's text: given the whole context, it would parse cookies, query and headers each time.
      enforces(security, async (context) => {
        const { request, params, set, route } = context;
        const granted = await admitOnce({ request, params, set, route });
        checkDeclaredLength(request);
        if (context.body === NO_BODY) context.body = undefined;
        return withBody ? withBody({ request, params, set, route, body: context.body }, granted) : granted;
      }),
    );
}
