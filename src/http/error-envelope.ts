/** Turns every thrown error into the error envelope. No other error response leaves the server. */
import { NotFoundError, ParseError, ValidationError } from "elysia";
import { type Clash, type Issue, issue, notFound, Problem, unauthorized } from "../core/errors.ts";
import { Faults } from "../core/faults.ts";
import type { ReasonFields } from "../core/reason-fields.ts";
import type { ErrorCode, Reason } from "../core/reasons.ts";
import { InvalidInput } from "./input.ts";
import { MAX_ISSUES } from "./validation-issues.ts";

export const statusOf = {
  BAD_REQUEST: 400,
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  STEP_UP_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  GONE: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  SERVER_ERROR: 500,
  BAD_GATEWAY: 502,
  TENANT_UNAVAILABLE: 503,
  UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>;

/** The body of every error response. `issues` only for an invalid request. */
export interface ErrorBody {
  error: { code: ErrorCode; reason?: Reason; message: string; request_id: string } & Partial<
    ReasonFields[keyof ReasonFields]
  >;
  issues?: readonly ReturnType<typeof shownIssue>[];
  conflicts?: readonly Clash[];
}

/**
 * Returns the public form of an error. An error that is not meant for callers becomes an opaque SERVER_ERROR.
 *
 * @param method of the request: the input of a GET is its query
 */
export function toProblem(thrown: unknown, method: string): Problem {
  // Elysia wraps errors of parse hooks, such as the 401 of authentication.
  const error = thrown instanceof ParseError ? thrown.cause : thrown;
  if (error instanceof InvalidInput) return error;
  if (error instanceof Problem)
    return error.issues ? placed(error, error.issues, method === "GET" ? "query" : "body") : error;
  if (error instanceof NotFoundError) return notFound();
  if (error instanceof ValidationError && error.type !== "response") {
    // An id with an invalid format gets the same response as an unknown id.
    if (error.type === "params") return notFound();
    return new InvalidInput([issue(error.type, "invalid")]);
  }
  return new Problem("SERVER_ERROR", "An internal error occurred.", { cause: error });
}

/** Prefixes the paths of a verb's issues with the part of the request that its input came from. */
const placed = ({ code, message, cause }: Problem, issues: readonly Issue[], part: "body" | "query"): Problem =>
  new Problem(code, message, { issues: issues.map((issue) => issueIn(part, issue)), cause });

const issueIn = (part: string, { path, declared, ...issue }: Issue): Issue => ({
  ...issue,
  path: `${part}.${path}`,
  ...(declared !== undefined && { declared: `${part}.${declared}` }),
});

/** Returns an issue without what is for the log only. */
export const shownIssue = ({ path, code, params = {}, message }: Issue) => ({
  path,
  code,
  ...(Object.keys(params).length > 0 && { params }),
  message,
});

export function errorResponse(problem: Problem, requestId: string): Response {
  const { code, reason, fields, message, issues, conflicts } = problem;
  const most = problem instanceof InvalidInput ? MAX_ISSUES : Faults.MOST;
  const body: ErrorBody = {
    error: { code, ...(reason && { reason }), message, ...fields, request_id: requestId },
    ...(issues && { issues: issues.slice(0, most).map(shownIssue) }),
    ...(conflicts && { conflicts }),
  };
  return Response.json(body, { status: statusOf[code], headers: headersOf(problem) });
}

function headersOf({ code, retryAfter }: Problem): Record<string, string> {
  // Required for a 401 (RFC 9110, 11.6.1).
  if (code === "UNAUTHORIZED") return { "www-authenticate": "Bearer" };
  if (code === "RATE_LIMITED" || retryAfter !== undefined)
    return { "retry-after": String(Math.max(1, Math.ceil(retryAfter ?? 1))) };
  return {};
}

/** Returns a 401 with the same message for every cause, so that it does not reveal which part was wrong. */
export const noCredential = () => unauthorized();

/** Returns a 401 for an API key without its organization. The key was not read, so this reveals nothing about it. */
export const noOrganization = () =>
  unauthorized("The header X-Org-Id is missing. Send the id of the API key's organization in it.");
