/** The errors of calls: an answer that is a refusal, and no answer. */
import type { ErrorReason } from "./operations.ts";

/** One fault of an input. */
export interface Issue {
  /** `body.crew.0.person_id` */
  path: string;
  code: string;
  message: string;
  params?: Readonly<Record<string, unknown>>;
}

interface ErrorBody {
  error?: { code?: string; reason?: ErrorReason; message?: string; request_id?: string };
  issues?: Issue[];
}

/** A refusal. Programs decide by `code` and `reason`. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly code: string;
  readonly reason: ErrorReason | undefined;
  readonly requestId: string | undefined;
  readonly issues: readonly Issue[];
  /** All fields of `error`, and those beside it: some reasons have more. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Seconds to wait before the next try. */
  readonly retryAfter: number;

  constructor(status: number, { error = {}, issues = [], ...others }: ErrorBody, retryAfter = 1) {
    super(error.message ?? `The server answered ${status}.`);
    this.status = status;
    this.code = error.code ?? "UNKNOWN";
    this.reason = error.reason;
    this.requestId = error.request_id;
    this.issues = issues;
    this.fields = { ...others, ...error };
    this.retryAfter = retryAfter;
  }
}

/** The server gave no answer. The request may have been carried out. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";

  constructor(cause: unknown) {
    super("The server can't be reached.", { cause });
  }
}

/** A file of the console is missing, although the server has the version of this page. */
export class PartFailed extends Error {
  override readonly name = "PartFailed";

  constructor(cause: unknown) {
    super("A part of the page can't be loaded.", { cause });
  }
}

export async function problemOf(response: Response): Promise<Problem> {
  const retryAfter = Number(response.headers.get("retry-after") ?? 1);
  // A proxy in between may answer with a page.
  const body: ErrorBody = await response.json().catch(() => ({}));
  const withId = { ...body, error: { request_id: response.headers.get("x-request-id") ?? undefined, ...body.error } };
  return new Problem(response.status, withId as ErrorBody, retryAfter);
}
