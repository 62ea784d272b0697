/** The refusals that no route has to declare, because the layer itself makes them: which apply follows from the route. */
import { type Reason, reasons } from "../core/reasons.ts";
import type { Security } from "./route-security.ts";

const descriptions: Record<number, string> = {
  400: "The request is not valid.",
  401: "There is no valid credential.",
  403: "The caller is not permitted to do this.",
  404: "There is no such resource, or not for this caller.",
  409: "The present state does not allow it.",
  410: "It was here and is gone.",
  412: "A condition is not met.",
  413: "The body is larger than 1 MiB.",
  415: "The body is not JSON.",
  422: "The same `Idempotency-Key` came with another body before.",
  429: "Too many requests: wait as long as `Retry-After` says.",
  500: "Something went wrong on the server's side; the request id names it in the log.",
  502: "Another service failed.",
  503: "The organization's data is out of reach at the moment.",
};

export interface RouteTraits {
  security: Security;
  /** Whether a body may be sent. */
  sendsBody: boolean;
  /** Whether the body is read. */
  readsBody: boolean;
  hasQuery: boolean;
  hasParams: boolean;
  /** Whether it takes an `Idempotency-Key`. */
  isOnce: boolean;
  /** Whether an answer carries a secret, and so is not kept to answer a repeat with. */
  showsSecret: boolean;
}

/** The status in a sentence, and its reasons as a list. */
export function describeErrors(status: number, given: readonly Reason[]): string {
  const said = descriptions[status] ?? "An error.";
  if (given.length === 0) return said;
  return `${said}\n\n${given.map((reason) => `- \`${reason}\`: ${reasons[reason].means}`).join("\n")}`;
}

/** The reasons that no route has to declare, by status. */
export function commonReasons({ security, isOnce, showsSecret }: RouteTraits): ReadonlyMap<number, readonly Reason[]> {
  const common = new Map<number, readonly Reason[]>();
  if (typeof security === "object") common.set(403, ["scope_missing"]);
  if (security === "organization") common.set(403, ["permission_missing"]);
  if (isOnce) common.set(409, ["request_in_progress", showsSecret ? "answer_shown_once" : "answer_lost"]);
  return common;
}

export function commonErrors({
  security,
  sendsBody,
  readsBody,
  hasQuery,
  hasParams,
  isOnce,
}: RouteTraits): readonly number[] {
  const byKey = typeof security === "object";
  const inOrganization = byKey || security === "organization";
  const statuses: Record<number, boolean> = {
    400: readsBody || hasQuery || isOnce,
    401: security !== "open",
    404: hasParams,
    413: sendsBody,
    415: readsBody,
    422: isOnce,
    429: byKey,
    500: true,
    503: inOrganization,
  };
  return Object.keys(statuses)
    .map(Number)
    .filter((status) => statuses[status]);
}
