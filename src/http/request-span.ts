/**
 * The span of a request. It has the route's template and never the URL: paths and queries can have invite and share tokens. It
 * has the organization's id, and nothing of a person: no address, no account and no body.
 */
import { METHODS } from "node:http";
import type { Span } from "../core/trace.ts";
import type { RequestState, Served } from "./request-state.ts";

const known: ReadonlySet<string> = new Set(METHODS);

export function spanOf(state: RequestState, { method, route, status, milliseconds }: Served): Span {
  const { trace, orgId, id, problem } = state;
  const isKnown = known.has(method);
  const isRoute = route !== undefined && route !== "";
  return {
    name: `${isKnown ? method : "HTTP"}${isRoute ? ` ${route}` : ""}`,
    kind: "server",
    trace,
    parent: trace.parent,
    milliseconds,
    attributes: {
      "http.request.method": isKnown ? method : "_OTHER",
      ...(isRoute && { "http.route": route }),
      "http.response.status_code": status,
      "windsock.request_id": id,
      ...(orgId !== undefined && { "windsock.organization_id": orgId }),
    },
    error: status >= 500 ? (problem?.code ?? String(status)) : undefined,
  };
}
