/** The refusals that no route has to declare, because the layer itself makes them: which apply follows from the route. */
import type { Security } from "./route-security.ts";

export const errorDescriptions: Record<number, string> = {
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
}

/** What a 409 says besides, where there is an `Idempotency-Key`. */
export const ALREADY =
  " Or: the first request with this `Idempotency-Key` is still being carried out, or it was and there is no answer to repeat.";

/** What a 403 says besides, where a second factor has to be shown first. */
export const NOT_SHOWN = " Or, as `STEP_UP_REQUIRED`: show your second factor first, with `POST /auth/mfa/step`.";

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
    403: inOrganization,
    404: hasParams,
    409: isOnce,
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
