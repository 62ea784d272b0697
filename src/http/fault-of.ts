/** Returns the code and the values of an issue of zod. */
import type { z } from "zod";
import { formatSaid } from "../core/formats.ts";
import { codeSaid, type IssueCode, type IssueParams, issueCodes, type Kind } from "../core/issues.ts";

export interface Fault {
  code: IssueCode;
  params: object;
}

const one = <C extends IssueCode>(code: C, params: IssueParams<C>): Fault => ({ code, params });

export function faultOf(issue: z.core.$ZodIssue): Fault {
  const format = formatSaid(issue.message);
  if (format !== undefined) return one("invalid_format", { format });
  const said = codeSaid(issue.message);
  if (said !== undefined) return { code: said, params: {} };
  switch (issue.code) {
    case "invalid_type":
      return one("invalid_type", { kind: kinds[issue.expected] ?? "other" });
    case "invalid_value":
      return one("invalid_value", { options: issue.values.map(String) });
    case "invalid_format":
      return one("invalid_format", { format: "pattern" });
    case "not_multiple_of":
      return one("not_multiple_of", { divisor: issue.divisor });
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    case "custom":
      return isFault(issue.params) ? { code: issue.params.code, params: issue.params.values } : one("invalid", {});
    case "invalid_key":
      return issue.issues[0] ? faultOf(issue.issues[0]) : one("invalid", {});
    default:
      return one("invalid", {});
  }
}

const isFault = (params: unknown): params is { code: IssueCode; values: object } =>
  typeof params === "object" && params !== null && "code" in params && String(params.code) in issueCodes;

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): Fault {
  const min = Number(minimum);
  if (origin === "string") return min === 1 ? one("empty", {}) : one("too_short", { min });
  if (origin === "array") return min === 1 ? one("empty", {}) : one("too_few", { min });
  return inclusive === false ? one("not_above", { min }) : one("too_small", { min });
}

function tooBig({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): Fault {
  const max = Number(maximum);
  if (origin === "string") return one("too_long", { max });
  if (origin === "array") return one("too_many", { max });
  return inclusive === false ? one("not_below", { max }) : one("too_big", { max });
}

export const kinds: Partial<Record<string, Kind>> = {
  string: "text",
  number: "number",
  int: "whole_number",
  boolean: "boolean",
  array: "list",
  object: "object",
  record: "object",
  null: "null",
};
