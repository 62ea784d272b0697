import { and, sql } from "drizzle-orm";
import { days, type Instant, shift } from "../../../core/clock.ts";
import type { LegalDate } from "../../../core/dates.ts";
import type { PageRequest } from "../../../storage/page.ts";
import { ascending, type Marked, nullAsEmpty, pageBy } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { people } from "../../people/people.tables.ts";
import { financeInvoices as invoices, financeInvoiceLines as lines } from "../invoices.tables.ts";
import { financeEntries as entries } from "../ledger.tables.ts";
import { invoiceExportLine, journalEntry } from "./exports.shapes.ts";

interface Days {
  from?: LegalDate | undefined;
  to?: LegalDate | undefined;
}

/** Returns JSON text, the oldest day first. */
export const listJournal = pageBy<typeof journalEntry.fields, Days>(journalEntry, {
  from: sql`${entries} join ${people} on ${people.id} = ${entries.person_id}
    left join ${invoices} on ${invoices.id} = ${entries.invoice_id}`,
  where: ({ from, to }) => and(from && sql`${entries.on} >= ${from}`, to && sql`${entries.on} < ${to}`),
  orderBy: ascending(journalEntry, "on", "entry"),
});

const issued = nullAsEmpty(invoices.issued_on);

interface Issued extends Days {
  after?: Instant | undefined;
  before?: Instant | undefined;
}

const listLines = pageBy<typeof invoiceExportLine.fields, Issued>(invoiceExportLine, {
  from: sql`${invoices} cross join ${lines} on ${lines.invoice_id} = ${invoices.id}`,
  where: ({ from, to, after, before }: Marked<Issued>) =>
    and(
      // Drafts have none.
      sql`${issued} > ''`,
      after && sql`${issued} >= ${after}`,
      before && sql`${issued} < ${before}`,
      from && sql`${invoices.issued_date} >= ${from}`,
      to && sql`${invoices.issued_date} < ${to}`,
    ),
  orderBy: ascending(invoiceExportLine, "issued_on", "id", "position"),
});

/** Returns JSON text: the lines of what was sent, the oldest first. */
export const listInvoiceLines = (reader: Reader<"tenant">, { from, to, ...page }: Days & PageRequest) =>
  listLines(reader, {
    ...page,
    from,
    to,
    // The day is that of the time zone at the time; the index is in the order of instants.
    after: from && shift(new Date(from), -days(1)),
    before: to && shift(new Date(to), days(1)),
  });
