import { badRequest, Problem } from "../core/errors.ts";
import type { BodyLimits } from "./body-limits.ts";
import { excessOf } from "./json-extent.ts";

/** Deeper than any schema of the API, and far below the depth that overflows a validator's stack. */
const MAX_DEPTH = 64;

const notJson = () => badRequest("The body is not valid JSON.");
const tooManyEntries = ({ entries }: Pick<BodyLimits, "entries">) =>
  new Problem("PAYLOAD_TOO_LARGE", `The body has more than ${entries} fields and list items.`);

/**
 * @throws PAYLOAD_TOO_LARGE too many fields and list items
 * @throws BAD_REQUEST malformed or too deeply nested JSON, invalid UTF-8
 */
export function parseJson(bytes: Uint8Array, limits: Pick<BodyLimits, "entries">): unknown {
  const excess = excessOf(bytes, { entries: limits.entries, depth: MAX_DEPTH });
  if (excess === "entries") throw tooManyEntries(limits);
  if (excess === "depth") throw notJson();
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // The parser's message contains the text, so it is not used.
    throw notJson();
  }
}
