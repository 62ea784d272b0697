/** Validation messages for schemas without their own, in plain words instead of zod's. They never contain the value. */
import type { z } from "zod";
import type { Kind } from "../core/issues.ts";
import { kinds } from "./fault-of.ts";

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** For `schema.safeParse(value, { error: plainMessage })`. A schema's own message takes precedence. */
export function plainMessage(issue: RawIssue): string {
  if (issue.input === undefined) return "Is missing.";
  switch (issue.code) {
    case "invalid_type":
      return `Must be ${names[kinds[issue.expected] ?? "other"]}.`;
    case "invalid_value":
      return issue.values.length === 1
        ? `Must be ${String(issue.values[0])}.`
        : `Must be one of: ${issue.values.map(String).join(", ")}.`;
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return `${has(issue)} ${issue.inclusive ? "at most" : "less than"} ${amount(issue, issue.maximum)}.`;
    case "not_multiple_of":
      return `Must be a multiple of ${issue.divisor}.`;
    case "invalid_format":
      return "Invalid format.";
    case "unrecognized_keys":
      return "There is no such field.";
    default:
      return "Is not valid.";
  }
}

const names: Record<Kind, string> = {
  text: "text",
  number: "a number",
  whole_number: "a whole number",
  boolean: "true or false",
  list: "a list",
  object: "an object",
  null: "null",
  other: "of another type",
};

/** Units of sizes, by type. */
const units: Partial<Record<string, [one: string, more: string]>> = {
  string: ["character", "characters"],
  array: ["item", "items"],
  set: ["item", "items"],
  map: ["entry", "entries"],
};

interface Sized {
  origin: string;
  inclusive?: boolean;
}

const has = ({ origin }: Sized) => (units[origin] ? "Must have" : "Must be");

function amount({ origin }: Sized, limit: number | bigint): string {
  const [one, more] = units[origin] ?? [];
  if (one === undefined) return String(limit);
  return `${limit} ${Number(limit) === 1 ? one : more}`;
}

function tooSmall(issue: Sized & { minimum: number | bigint }): string {
  const { minimum, inclusive, origin } = issue;
  if (units[origin] && Number(minimum) === 1) return "Must not be empty.";
  return `${has(issue)} ${inclusive ? "at least" : "more than"} ${amount(issue, minimum)}.`;
}
