/** Errors of the HTTP layer, which routes do not declare. The properties of a route decide which apply. */
import { type Reason, reasons } from "../core/reasons.ts";
import { type BodyLimits, inUnits } from "./body-limits.ts";
import { countsWrites, type Security } from "./route-security.ts";

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
  503: "Records are not available at the moment.",
};

/** The codes of a 503. */
const unavailable = {
  control: "`UNAVAILABLE`: the server can't read or store its records.",
  tenant: "`TENANT_UNAVAILABLE`: the organization's records can't be opened, or are being checked.",
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
  /** Whether a request may fail because of a database. */
  hasData: boolean;
  /** Whether it may fail because of an organization's. */
  hasTenantData: boolean;
  takesIdempotencyKey: boolean;
  /** Whether it compares the tag of a resource before it writes. */
  takesIfMatch: boolean;
  /** Whether a response has a secret, and so is not stored for repeats. */
  showsSecret: boolean;
  /** Whether it is served while its organization is suspended. */
  whileSuspended: boolean;
}

function bodyFaults({ bytes, entries, form }: BodyLimits): Record<number, string> {
  const larger = `The body is larger than ${inUnits(bytes)}`;
  return {
    json: {
      413: `${larger}, or has more than ${entries} fields and list items.`,
      415: "The body is not JSON, or is compressed.",
    },
    csv: { 413: `${larger}, or has too many lines.`, 415: "The body is not CSV, or is compressed." },
    file: { 413: `${larger}.`, 415: "The content is of another type than the route takes, or is compressed." },
  }[form];
}

/** Reasons that the header's description explains. */
const ofKeys: ReadonlySet<Reason> = new Set(["request_in_progress", "answer_lost", "answer_shown_once"]);

/** Describes a status in a sentence, and lists its reasons. */
export function describeErrors(
  status: number,
  given: readonly Reason[],
  { limits, hasTenantData, takesIdempotencyKey }: Pick<RouteTraits, "limits" | "hasTenantData" | "takesIdempotencyKey">,
): string {
  const sentence = bodyFaults(limits)[status] ?? descriptions[status] ?? "An error.";
  const ofKey = takesIdempotencyKey ? given.filter((reason) => ofKeys.has(reason)) : [];
  const others = given.filter((reason) => !ofKey.includes(reason));
  const cases = others.map((reason) => `\`${reason}\`: ${reasons[reason].means}`);
  if (ofKey.length > 0) cases.push(`${ofKey.map((reason) => `\`${reason}\``).join(", ")}: see \`Idempotency-Key\`.`);
  if (status === 503) cases.push(...(hasTenantData ? [unavailable.tenant] : []), unavailable.control);
  return cases.length === 0 ? sentence : `${sentence}\n\n${cases.map((one) => `- ${one}`).join("\n")}`;
}

/** Returns the reasons that routes do not declare, by status. */
export function commonReasons({
  security,
  takesIdempotencyKey,
  takesIfMatch,
  showsSecret,
  hasData,
  whileSuspended,
}: RouteTraits): ReadonlyMap<number, readonly Reason[]> {
  const common = new Map<number, readonly Reason[]>();
  const suspended: readonly Reason[] = whileSuspended ? [] : ["organization_suspended"];
  if (typeof security === "object") common.set(403, ["scope_missing", ...suspended]);
  if (security === "organization") common.set(403, ["permission_missing", ...suspended]);
  if (security === "named-organization" || security === "user-or-member")
    common.set(403, ["permission_missing", "not_a_member", ...suspended]);
  if (hasData) common.set(503, ["disk_full"]);
  if (takesIdempotencyKey) common.set(409, ["request_in_progress", showsSecret ? "answer_shown_once" : "answer_lost"]);
  if (takesIfMatch) common.set(412, ["resource_changed"]);
  return common;
}

export function commonErrors({
  security,
  sendsBody,
  readsBody,
  checksQuery,
  hasParams,
  hasData,
  takesIdempotencyKey,
}: RouteTraits): readonly number[] {
  const byKey = typeof security === "object";
  const countsAsWrite = sendsBody && countsWrites(security);
  const statuses: Record<number, boolean> = {
    400: sendsBody || checksQuery,
    401: security !== "open",
    404: hasParams,
    413: sendsBody,
    415: readsBody,
    422: takesIdempotencyKey,
    429: byKey || countsAsWrite,
    500: true,
    503: hasData,
  };
  return Object.keys(statuses)
    .map(Number)
    .filter((status) => statuses[status]);
}
