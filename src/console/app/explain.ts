/** What the console says about an error: in the reader's language where it knows the case, else as the server says it. */
import { type Issue, PartFailed, Problem, Unreachable } from "../api/problem.ts";
import { formatDay } from "./format.ts";
import { text } from "./language.ts";

export interface Explanation {
  title: string;
  message: string;
  requestId?: string | undefined;
}

export function explain(error: unknown): Explanation {
  const { errors } = text();
  const { title } = errors;
  if (error instanceof Unreachable) return { title: errors.unreachableTitle, message: errors.unreachable };
  if (error instanceof PartFailed) return { title, message: errors.part };
  if (!(error instanceof Problem)) return { title, message: String(error) };
  const { requestId } = error;
  return { title: error.status === 404 ? errors.notFoundTitle : title, message: messageOf(error), requestId };
}

function messageOf({ status, reason, message, issues, retryAfter, fields }: Problem): string {
  const { errors } = text();
  const known = reason === undefined ? undefined : errors.reasons[reason];
  if (reason === "records_kept") return recordsKept(fields.until);
  if (known !== undefined) return typeof known === "function" ? known(fields) : known;
  if (status === 429) return errors.tooMany(retryAfter);
  if (status === 403 && reason === "permission_missing") return errors.permission;
  if (status === 404) return errors.notFound;
  if (status >= 500) return errors.server;
  return issues.length > 0 ? errors.fields : message;
}

/** A reason with a day, unless what it is about has not ended. */
function recordsKept(until: unknown): string {
  const { recordsKept: words } = text().errors;
  return typeof until === "string" ? words.until(formatDay(until)) : words.training;
}

type Sentence = string | ((params: object) => string);

/** What a field with a format of its own asks for. */
export function explainFormat(format: string | undefined): string | undefined {
  const { formats } = text().form;
  return format === undefined ? undefined : (formats as Partial<Record<string, string>>)[format];
}

/** What is wrong with one field. */
export function explainIssue({ code, params = {}, message }: Pick<Issue, "code" | "params" | "message">): string {
  const known = text().errors.issues as Partial<Record<string, Sentence>>;
  const sentence = known[code];
  return typeof sentence === "function" ? sentence(params) : (sentence ?? message);
}
