import type { Cursor } from "../../../core/cursor.ts";
import type { PersonId } from "../../../core/ids.ts";
import { ListPage } from "../../../http/list-page.ts";
import { currencyOf } from "../../../identity/currency.queries.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { pagesOf } from "../../../storage/ledger.ts";
import type { PageRequest } from "../../../storage/page.ts";
import { languageOf } from "../customers/language.queries.ts";
import { sellerOf, sellingOrganization } from "../invoices/send.ts";
import { settingsOf } from "../settings/settings.ts";
import { textsOf } from "../texts/texts.ts";
import { requireAccount } from "./accounts.queries.ts";
import type { StatementQuery } from "./accounts.schemas.ts";
import { balanceBefore, statementOf } from "./statement.queries.ts";
import { statementFor } from "./statement-pdf.ts";

/** Rows that are read at once for CSV. */
const PIECE = 500;

/** Returns the statement of an account: JSON in pages, CSV, or PDF. @throws NOT_FOUND as `requireAccount` */
export async function readStatement(
  context: InOrganization,
  { personId, query }: { personId: PersonId; query: StatementQuery },
): Promise<ListPage> {
  const { actor, tenant, clock } = context;
  const person = await tenant.read((reader) => requireAccount(reader, personId, actor));
  const currency = query.currency ?? (await currencyOf(context));
  const whose = { person_id: person.id, currency };
  const balances = {
    currency,
    opening_balance_minor: query.from === undefined ? 0 : await balanceBefore(tenant, whose, query.from),
    closing_balance_minor: await balanceBefore(tenant, whose, query.to),
  };
  const language = await tenant.read((reader) => languageOf(reader, person.id));
  const ledger = statementOf(tenant, whose, query);
  const read = pagesOf(tenant, ledger);
  async function body(request: PageRequest) {
    const { data, page } = await read(request);
    return Buffer.from(JSON.stringify({ ...balances, data, page }));
  }
  async function* pdf(checkAccess: () => Promise<void>) {
    const settings = await tenant.read(settingsOf);
    const { legal_name } = sellerOf(settings, await sellingOrganization(context));
    const book = statementFor(person, { ...query, ...balances, school: legal_name, language, now: clock.now() });
    const { bookPdf } = await import("../../../pdf/book-pdf.ts");
    yield* bookPdf({ ...book, count: await ledger.count(), read: pagesOf(tenant, ledger) }, checkAccess);
  }
  const after = (cursor: Cursor) => body({ cursor, limit: PIECE });
  return new ListPage(await body(query), after, pdf, textsOf(language).statement.title);
}
