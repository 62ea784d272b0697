/** Rows in the order of time, in pages with totals: before the page, of the page, and up to its end. */
import type { Cursor } from "../core/cursor.ts";
import type { Bytes } from "../core/kept-body.ts";
import type { PageRequest } from "./page.ts";
import type { Reader, Tenant } from "./store.ts";
import { minus, type Place, plus, type Totals } from "./totals.ts";

export type Summed<Name extends string> = { [N in Name]: number | null };

export interface Ledger<Name extends string, Row extends Summed<Name>> {
  /** Returns rows as `pageBody` does. */
  rows(reader: Reader<"tenant">, page: PageRequest): Promise<Bytes>;
  /** Counts the rows. */
  count(): Promise<number>;
  /** The place after which the rows begin. */
  start: Place;
  /** Returns the totals of everything up to a place. */
  before(place: Place): Promise<Totals<Name>>;
  /** Adds to a row what follows from the totals up to and including it. */
  complete?(row: Row, totals: Totals<Name>): Row;
}

/** `page` is the last field, where `json-page.ts` looks for it. */
export interface LedgerPage<Name extends string, Row> {
  brought_forward: Totals<Name>;
  page_totals: Totals<Name>;
  to_date: Totals<Name>;
  data: Row[];
  page: { next_cursor: string | null };
}

/** Makes a function that reads a page, and after that only the pages that follow: it carries the totals from one to the next. */
export function pagesOf<Name extends string, Row extends Summed<Name>>(
  tenant: Pick<Tenant, "read">,
  { rows, start, before, complete }: Ledger<Name, Row>,
): (page: PageRequest) => Promise<LedgerPage<Name, Row>> {
  let carried: Totals<Name> | undefined;
  return async (request) => {
    const body = await tenant.read((reader) => rows(reader, request));
    const { data, page }: Pick<LedgerPage<Name, Row>, "data" | "page"> = JSON.parse(body.toString());
    const brought_forward = carried ?? (await before(placeOf(request.cursor) ?? start));
    let to_date = brought_forward;
    const completed = data.map((row) => {
      to_date = plus(to_date, row);
      return complete?.(row, to_date) ?? row;
    });
    carried = to_date;
    return { brought_forward, page_totals: minus(to_date, brought_forward), to_date, data: completed, page };
  };
}

/** A cursor has the name of the order, and the place of a row. */
const placeOf = (cursor: Cursor | undefined): Place | undefined => cursor && [String(cursor[1]), String(cursor[2])];
