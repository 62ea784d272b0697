import { yieldingBetween } from "../../../core/async.ts";
import { canonicalJson } from "../../../core/canonical-json.ts";
import { allRows } from "../../../storage/personal-data.ts";
import type { Tenant } from "../../../storage/store.ts";
import type { Content } from "./parts.ts";

const PIECE = 16 * 1024;

/** Few enough rows for one turn of the event loop. */
const ROWS = 50;

/** Reads all rows of a list, a few at a time. */
export const rowsOf = (tenant: Pick<Tenant, "read">, list: Parameters<typeof allRows>[1]): AsyncGenerator<unknown> =>
  allRows(tenant, list, ROWS);

/** Reads the same in groups, for what one statement reads about several rows. */
export async function* groupsOf<Row>(...list: Parameters<typeof rowsOf>): AsyncGenerator<Row[]> {
  let group: Row[] = [];
  for await (const row of rowsOf(...list)) {
    if (group.push(row as Row) < ROWS) continue;
    yield group;
    group = [];
  }
  yield group;
}

/** A part with one JSON value. */
export const valuePart = (name: string, value: () => unknown): Content => ({
  name: `${name}.json`,
  media_type: "application/json",
  content: (async function* () {
    yield Buffer.from(canonicalJson(value()));
  })(),
});

/** A part with a JSON array, of which only a piece is in memory. */
export const listPart = (name: string, rows: AsyncIterable<unknown>): Content => ({
  name: `${name}.json`,
  media_type: "application/json",
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
