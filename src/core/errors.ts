/**
 * The errors that a request can end with. A code is the kind of error; `http/error-envelope.ts` maps each code to its
 * HTTP status. Where a code covers several cases, a reason tells them apart (`reasons.ts`).
 */
import { type IssueCode, type IssueParams, sentenceOf } from "./issues.ts";
import type { ReasonFields } from "./reason-fields.ts";
import type { ErrorCode, Reason, ReasonOf } from "./reasons.ts";

/** One fault of an input: its path (`crew.0.person_id`), the kind of fault with its values, and a sentence. Never the value. */
export interface Issue {
  path: string;
  code: IssueCode;
  /** Those of the code: see `issue`. */
  params?: object;
  message: string;
  /** The part of the path that the API declares. The rest is a name that the client chose; it may be a secret. */
  declared?: string;
}

/** What a booking clashes with, or a rule that it does not meet. */
export interface Clash {
  rule: string;
  message: string;
  /** What is not free or not in order; null: the booking itself. */
  resource: { type: string; id: string } | null;
  /** The session that it clashes with. */
  session_id: string | null;
  /** When: of that session, or of the booking. */
  start_at: string;
  end_at: string;
}

interface ProblemOptions {
  /** The case of its code, for programs. */
  reason?: Reason | undefined;
  fields?: ReasonFields[keyof ReasonFields] | undefined;
  issues?: readonly Issue[];
  /** Why a booking is refused. */
  conflicts?: readonly Clash[];
  /** Seconds after which the caller may retry. */
  retryAfter?: number;
  /** The internal error. It is only logged. */
  cause?: unknown;
}

/** The only error that callers see: its message is public, its cause is not. Every other error becomes an opaque 500. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ErrorCode;
  readonly reason: Reason | undefined;
  readonly fields: ProblemOptions["fields"];
  readonly issues: readonly Issue[] | undefined;
  readonly conflicts: readonly Clash[] | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, options: ProblemOptions = {}) {
    const { reason, fields, issues, conflicts, retryAfter, cause } = options;
    super(message, { cause });
    this.code = code;
    this.reason = reason;
    this.fields = fields;
    this.issues = issues;
    this.conflicts = conflicts;
    this.retryAfter = retryAfter;
  }
}

type FieldsOf<R extends Reason> = R extends keyof ReasonFields ? [fields: ReasonFields[R]] : [];

/** Returns the constructor of a code that always has a reason, and the fields of that. */
const withReason =
  <Code extends ErrorCode>(code: Code) =>
  <R extends ReasonOf<Code>>(reason: R, message: string, ...[fields]: FieldsOf<R>) =>
    new Problem(code, message, { reason, fields });

export const badRequest = (message: string) => new Problem("BAD_REQUEST", message);
/** No valid session or API key. For another wrong credential, such as a password, see `refused`. */
export const unauthorized = (message = "Missing or invalid credentials.") => new Problem("UNAUTHORIZED", message);
export const notFound = (message = "There is no such resource.") => new Problem("NOT_FOUND", message);
export const refused = withReason("UNAUTHORIZED");
export const forbidden = withReason("FORBIDDEN");
export const notPermitted = () => forbidden("permission_missing", "You are not permitted to do this.");
export const organizationSuspended = (fields: ReasonFields["organization_suspended"]) =>
  forbidden("organization_suspended", "The operator of this installation has suspended the organization.", fields);
export const stepUpRequired = withReason("STEP_UP_REQUIRED");
export const conflict = withReason("CONFLICT");
/** @param allowed statuses in which it could be done */
export const wrongStatus = (what: string, status: string, ...allowed: readonly string[]) =>
  conflict("wrong_status", `The ${what} is ${status}${allowed.length > 0 ? `, not ${allowed.join(" or ")}` : ""}.`, {
    status,
    ...(allowed.length > 0 && { allowed }),
  });
export const gone = withReason("GONE");
export const preconditionFailed = withReason("PRECONDITION_FAILED");
/** Another service failed. The cause is only logged. */
export const badGateway = (message: string, cause?: unknown) => new Problem("BAD_GATEWAY", message, { cause });

/** No space is left on the server's disk. It is logged in one place, not for each request. */
export const diskFull = (cause?: unknown) =>
  new Problem(
    "UNAVAILABLE",
    "The server's disk is full, so nothing can be stored. Its operator must free some space.",
    {
      reason: "disk_full",
      cause,
    },
  );

/** A stored file is not what was stored. @param fault for the log */
export const contentDamaged = (fault: string) =>
  new Problem("UNAVAILABLE", "The file is damaged on the server's disk. The operator can restore it from a backup.", {
    reason: "content_damaged",
    cause: new Error(fault),
  });

export type ParamsOf<C extends IssueCode> = keyof IssueParams<C> extends never ? [] : [params: IssueParams<C>];

/** Returns an issue whose sentence is that of its code. */
export const issue = <C extends IssueCode>(path: string, code: C, ...[params]: ParamsOf<C>): Issue => ({
  path,
  code,
  params: params ?? {},
  message: sentenceOf(code, params ?? {}),
});

/** An input that is well-formed but breaks a rule, which at least one issue names. */
export const invalid = (...issues: [Issue, ...Issue[]]) =>
  new Problem("VALIDATION_ERROR", "The request is not valid.", { issues });

/** @throws VALIDATION_ERROR there is an issue */
export function throwIfAny(issues: readonly Issue[]): void {
  const [first, ...rest] = issues;
  if (first !== undefined) throw invalid(first, ...rest);
}
