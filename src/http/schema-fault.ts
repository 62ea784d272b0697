import { issue, type ParamsOf } from "../core/errors.ts";
import type { IssueCode } from "../core/issues.ts";

/**
 * For `refine` and `addIssue` of a schema: a code with values. A code without values is its sentence alone,
 * `refine(isTrue, issueCodes.no_words)`, and so is a format: `regex(pattern, formats.email)`.
 */
export function fault<C extends IssueCode>(code: C, ...params: ParamsOf<C>) {
  const { message, params: values } = issue("", code, ...params);
  return { message, params: { code, values } };
}
