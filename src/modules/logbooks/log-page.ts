import { ListPage } from "../../http/list-page.ts";
import type { PageRequest } from "../../storage/page.ts";
import type { Tenant } from "../../storage/store.ts";
import { type Ledger, pagesOf, type Summed } from "./ledger.ts";

/** Rows that are read at once for CSV. */
const PIECE = 500;

/** Returns a page of a log: JSON with totals, or CSV of all rows. */
export async function logPageOf<Name extends string, Row extends Summed<Name>>(
  tenant: Pick<Tenant, "read">,
  ledger: Ledger<Name, Row>,
  query: PageRequest,
): Promise<ListPage> {
  const read = pagesOf(tenant, ledger);
  const body = async (page: PageRequest) => Buffer.from(JSON.stringify(await read(page)));
  return new ListPage(await body(query), (cursor) => body({ cursor, limit: PIECE }));
}
