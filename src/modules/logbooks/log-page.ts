import { ListPage } from "../../http/list-page.ts";
import type { Book } from "../../pdf/book.ts";
import { type Ledger, pagesOf, type Summed } from "../../storage/ledger.ts";
import type { PageRequest } from "../../storage/page.ts";
import type { Tenant } from "../../storage/store.ts";

/** Rows that are read at once for CSV. */
const PIECE = 500;

interface Log<Name extends string, Row extends Summed<Name>> {
  ledger: Ledger<Name, Row>;
  query: PageRequest;
  /** Returns the book for print. */
  book(): Promise<Omit<Book<Name, Row>, "count" | "read">>;
}

/** Returns a page of a log: JSON with totals, CSV of all rows, or PDF. */
export async function logPageOf<Name extends string, Row extends Summed<Name>>(
  tenant: Pick<Tenant, "read">,
  { ledger, query, book }: Log<Name, Row>,
): Promise<ListPage> {
  const read = pagesOf(tenant, ledger);
  const body = async (page: PageRequest) => Buffer.from(JSON.stringify(await read(page)));
  async function* pdf(checkAccess: () => Promise<void>) {
    const { bookPdf } = await import("../../pdf/book-pdf.ts");
    yield* bookPdf({ ...(await book()), count: await ledger.count(), read: pagesOf(tenant, ledger) }, checkAccess);
  }
  return new ListPage(await body(query), (cursor) => body({ cursor, limit: PIECE }), pdf);
}
