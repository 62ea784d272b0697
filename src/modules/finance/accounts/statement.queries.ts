/** The entries of a person's account in the order of time, with the balance after each. */
import { and, sql } from "drizzle-orm";
import { yieldToEventLoop } from "../../../core/async.ts";
import type { LegalDate } from "../../../core/dates.ts";
import type { PersonId } from "../../../core/ids.ts";
import { sumOf } from "../../../core/money.ts";
import type { Ledger } from "../../../storage/ledger.ts";
import { ascending, type Marked, pageBy } from "../../../storage/page.ts";
import type { Tenant } from "../../../storage/store.ts";
import { financeInvoices as invoices } from "../invoices.tables.ts";
import { financeEntries as entries } from "../ledger.tables.ts";
import { financePayments as payments, financeRefunds as refunds } from "../payments.tables.ts";
import { type StatementEntry, statementEntry } from "./accounts.schemas.ts";

type Readable = Pick<Tenant, "read">;

/** Whose account, and which of its currencies. */
interface Whose {
  person_id: PersonId;
  currency: string;
}

interface Days {
  from?: LegalDate | undefined;
  to?: LegalDate | undefined;
}

const isOf = ({ person_id, currency }: Marked<Whose>) => sql`${entries.person_id} = ${person_id}
  and ${entries.account} = 'receivables' and ${entries.currency} = ${currency}`;

export const listStatement = pageBy<typeof statementEntry.fields, Whose & Days>(statementEntry, {
  from: sql`${entries} left join ${invoices} on ${invoices.id} = ${entries.invoice_id}
    left join ${payments} on ${payments.id} = ${entries.payment_id}
    left join ${refunds} on ${refunds.id} = ${entries.refund_id}`,
  where: ({ from, to, ...whose }) =>
    and(isOf(whose), from && sql`${entries.on} >= ${from}`, to && sql`${entries.on} < ${to}`),
  orderBy: ascending(statementEntry, "on", "entry"),
});

/** Entries that are counted and summed in one turn of the event loop. */
const PIECE = 1000;
const mark = sql.placeholder;

/** The last place is a text that sorts as the two columns do. */
const statement = sql`
  select count(*), ifnull(sum(amount), 0), max(printf('%s %019d', day, id)) from (
    select ${entries.on} as day, ${entries.id} as id, ${entries.credit_minor} - ${entries.debit_minor} as amount
    from ${entries} where ${isOf({ person_id: mark("person_id"), currency: mark("currency") })}
      and (${entries.on}, ${entries.id}) > (${mark("after_on")}, ${mark("after_id")})
      and (${entries.on}, ${entries.id}) <= (${mark("until_on")}, ${mark("until_id")})
    order by ${entries.on}, ${entries.id} limit ${sql.raw(String(PIECE))})`;

/** A day, and the id of an entry of this day; 0: before its entries. */
type Place = readonly [on: string, id: number];
const START: Place = ["", 0];
const END: Place = ["~", 0];

/** Counts and sums the entries after a place, up to another. */
async function summed(tenant: Readable, whose: Whose, [after, until]: [Place, Place]) {
  const all = { count: 0, amount_minor: 0 };
  for (let [after_on, after_id] = after; ; ) {
    const values = { ...whose, after_on, after_id, until_on: until[0], until_id: until[1] };
    const [count, amount, last] = (await tenant.read((reader) => reader.first(statement, values))) ?? [0, 0, null];
    all.count += Number(count);
    all.amount_minor = sumOf([all.amount_minor, Number(amount)]);
    if (count !== PIECE || typeof last !== "string") return all;
    [after_on, after_id] = [last.slice(0, 10), Number(last.slice(11))];
    await yieldToEventLoop();
  }
}

/** Returns the balance before a day; without one, after all entries. */
export const balanceBefore = async (tenant: Readable, whose: Whose, day: LegalDate | undefined): Promise<number> =>
  (await summed(tenant, whose, [START, day === undefined ? END : [day, 0]])).amount_minor;

/** Does not check the actor. */
export const statementOf = (
  tenant: Readable,
  whose: Whose,
  { from, to }: Days,
): Ledger<"amount_minor", StatementEntry> => ({
  rows: (reader, page) => listStatement(reader, { ...page, ...whose, from, to }),
  count: async () =>
    (await summed(tenant, whose, [from === undefined ? START : [from, 0], to === undefined ? END : [to, 0]])).count,
  start: [from ?? "", "0"],
  async before([on, id]) {
    const { amount_minor } = await summed(tenant, whose, [START, [on, Number(id)]]);
    return { amount_minor };
  },
  complete: (row, { amount_minor }) => ({ ...row, balance_minor: amount_minor }),
});
