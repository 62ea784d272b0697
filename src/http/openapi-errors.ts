/** Errors of the HTTP layer, which routes do not declare. The properties of a route decide which apply. */
import { type Reason, reasons } from "../core/reasons.ts";
import { type BodyLimits, kibibytes } from "./body-limits.ts";
import type { Security } from "./route-security.ts";

const descriptions: Record<number, string> = {
  400: "The request is not valid.",
  401: "The credential is missing or not valid.",
  403: "The caller is not permitted to do this.",
  404: "The resource does not exist, or the caller has no access to it.",
  409: "The present state does not allow this.",
  410: "The resource no longer exists.",
  412: "A precondition is not met.",
  422: "The same `Idempotency-Key` was used with another body.",
  429: "Too many requests. Wait for the time in `Retry-After`.",
  500: "An internal error. The request id identifies it in the log.",
  502: "Another service failed.",
  503: "The organization's data is not available at the moment.",
};

export interface RouteTraits {
  security: Security;
  /** Whether the method allows a body. */
  sendsBody: boolean;
  /** Whether the route reads the body. */
  readsBody: boolean;
  limits: BodyLimits;
  /** Whether unknown query parameters are rejected. */
  checksQuery: boolean;
  hasParams: boolean;
  takesIdempotencyKey: boolean;
  /** Whether a response has a secret, and so is not stored for repeats. */
  showsSecret: boolean;
}

function bodyFaults({ bytes, entries, mediaType }: BodyLimits): Record<number, string> {
  const larger = `The body is larger than ${kibibytes(bytes)}`;
  return mediaType === "text/csv"
    ? { 413: `${larger}, or has too many lines.`, 415: "The body is not CSV, or is compressed." }
    : {
        413: `${larger}, or has more than ${entries} fields and list items.`,
        415: "The body is not JSON, or is compressed.",
      };
}

/** Describes a status in a sentence, and lists its reasons. */
export function describeErrors(
  status: number,
  given: readonly Reason[],
  { limits }: Pick<RouteTraits, "limits">,
): string {
  const sentence = bodyFaults(limits)[status] ?? descriptions[status] ?? "An error.";
  if (given.length === 0) return sentence;
  return `${sentence}\n\n${given.map((reason) => `- \`${reason}\`: ${reasons[reason].means}`).join("\n")}`;
}

/** Returns the reasons that routes do not declare, by status. */
export function commonReasons({
  security,
  takesIdempotencyKey,
  showsSecret,
}: RouteTraits): ReadonlyMap<number, readonly Reason[]> {
  const common = new Map<number, readonly Reason[]>();
  if (typeof security === "object") common.set(403, ["scope_missing"]);
  if (security === "organization") common.set(403, ["permission_missing"]);
  if (security === "named-organization") common.set(403, ["permission_missing", "not_a_member"]);
  if (takesIdempotencyKey) common.set(409, ["request_in_progress", showsSecret ? "answer_shown_once" : "answer_lost"]);
  return common;
}

export function commonErrors({
  security,
  sendsBody,
  readsBody,
  checksQuery,
  hasParams,
  takesIdempotencyKey,
}: RouteTraits): readonly number[] {
  const byKey = typeof security === "object";
  const countsAsWrite = sendsBody && (security === "user" || security === "organization");
  const inOrganization = byKey || security === "organization" || security === "named-organization";
  const statuses: Record<number, boolean> = {
    400: readsBody || checksQuery || takesIdempotencyKey,
    401: security !== "open",
    404: hasParams,
    413: sendsBody,
    415: readsBody,
    422: takesIdempotencyKey,
    429: byKey || countsAsWrite,
    500: true,
    503: inOrganization,
  };
  return Object.keys(statuses)
    .map(Number)
    .filter((status) => statuses[status]);
}
