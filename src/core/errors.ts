/**
 * Why a request can't be carried out, in one table. A code says what went wrong; the transport decides what that is
 * called on the wire (`http/error-envelope.ts` gives each its status, exhaustively). Where a code covers several cases,
 * a reason says which (`reasons.ts`).
 */
import type { Reason, ReasonOf } from "./reasons.ts";

export const errorCodes = [
  "BAD_REQUEST",
  "VALIDATION_ERROR",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "STEP_UP_REQUIRED",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "CONFLICT",
  "GONE",
  "PRECONDITION_FAILED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "IDEMPOTENCY_KEY_REUSED",
  "RATE_LIMITED",
  "SERVER_ERROR",
  "BAD_GATEWAY",
  "TENANT_UNAVAILABLE",
  "UNAVAILABLE",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** One thing wrong with an input: where in it (`crew.0.person_id`), the kind of fault, and a sentence. Never the value. */
export interface Issue {
  path: string;
  code: string;
  message: string;
}

interface ProblemOptions {
  /** Which case of its code it is, for programs. */
  reason?: Reason | undefined;
  issues?: readonly Issue[];
  /** Seconds after which a refused caller may try again. */
  retryAfter?: number;
  /** What really happened, for the log alone. */
  cause?: unknown;
}

/** The one error that reaches callers: its message is public, its cause is not. Anything else thrown answers an opaque 500. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ErrorCode;
  readonly reason: Reason | undefined;
  readonly issues: readonly Issue[] | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, { reason, issues, retryAfter, cause }: ProblemOptions = {}) {
    super(message, { cause });
    this.code = code;
    this.reason = reason;
    this.issues = issues;
    this.retryAfter = retryAfter;
  }
}

/** Makes the constructor of a code that always has a reason. */
const because =
  <Code extends ErrorCode>(code: Code) =>
  (reason: ReasonOf<Code>, message: string) =>
    new Problem(code, message, { reason });

export const badRequest = (message: string) => new Problem("BAD_REQUEST", message);
/** No valid session or API key; see `refused` for another credential that is wrong. */
export const unauthorized = (message = "Missing or invalid credentials.") => new Problem("UNAUTHORIZED", message);
export const notFound = (message = "There is no such resource.") => new Problem("NOT_FOUND", message);
export const refused = because("UNAUTHORIZED");
export const forbidden = because("FORBIDDEN");
export const notPermitted = () => forbidden("permission_missing", "You are not permitted to do this.");
export const stepUpRequired = because("STEP_UP_REQUIRED");
export const conflict = because("CONFLICT");
export const gone = because("GONE");
export const preconditionFailed = because("PRECONDITION_FAILED");
/** Another service failed us; what it did is the cause, for the log alone. */
export const badGateway = (message: string, cause?: unknown) => new Problem("BAD_GATEWAY", message, { cause });

/** An input that is well-formed but breaks a rule; at least one issue says which. */
export const invalid = (...issues: [Issue, ...Issue[]]) =>
  new Problem("VALIDATION_ERROR", "The request is not valid.", { issues });
