import { yieldingBetween } from "../../../core/async.ts";
import { canonicalJson } from "../../../core/canonical-json.ts";
import type { Content } from "./parts.ts";

const PIECE = 16 * 1024;

/** A part with one JSON value. */
export const valuePart = (name: string, value: () => unknown): Content => ({
  ...{ name: `${name}.json`, media_type: "application/json" },
  content: (async function* () {
    yield Buffer.from(canonicalJson(value()));
  })(),
});

/** A part with a JSON array, of which only a piece is in memory. */
export const listPart = (name: string, rows: AsyncIterable<unknown>): Content => ({
  ...{ name: `${name}.json`, media_type: "application/json" },
  content: arrayOf(rows),
});

async function* arrayOf(rows: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  let [text, mark] = ["[", ""];
  for await (const row of yieldingBetween(rows)) {
    text += mark + canonicalJson(row);
    mark = ",";
    if (text.length < PIECE) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(`${text}]`);
}
