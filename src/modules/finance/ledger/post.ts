/** The journal: the one place that writes it, and the sums and balances that follow from it. */
import { type SQL, sql } from "drizzle-orm";
import type { LegalDate } from "../../../core/dates.ts";
import type { PersonId } from "../../../core/ids.ts";
import { sumOf } from "../../../core/money.ts";
import { insertRow } from "../../../storage/insert-row.ts";
import type { Tx } from "../../../storage/store.ts";
import type { Vat } from "../finance.values.ts";
import type { InvoiceId } from "../invoices.tables.ts";
import {
  type Account,
  financeBalances,
  financeEntries,
  financeMonths,
  financeVatMonths,
  type Month,
  type PostingKind,
} from "../ledger.tables.ts";
import type { PaymentId, RefundId } from "../payments.tables.ts";

const value = sql.placeholder;

/** What the entries of one posting have in common. */
export interface Posting {
  posting: PostingKind;
  /** The day of the posting: also one that is past. */
  on: LegalDate;
  person_id: PersonId;
  currency: string;
  invoice_id?: InvoiceId | null;
  payment_id?: PaymentId | null;
  refund_id?: RefundId;
}

export interface Entry extends Partial<Pick<Vat, "vat_category" | "vat_rate">> {
  account: Account;
  /** Positive: a debit. Negative: a credit. */
  amount_minor: number;
}

/** Writes the entries of a posting, and adds them to the sums of its month and to the person's balance. */
export async function post(tx: Tx<"tenant">, posting: Posting, entries: readonly Entry[]): Promise<void> {
  const difference = sumOf(entries.map(({ amount_minor }) => amount_minor));
  if (difference !== 0) throw new Error(`The debits of a posting differ from its credits by ${difference}.`);
  for (const { amount_minor, ...entry } of entries)
    if (amount_minor !== 0)
      await insertRow(tx, financeEntries, {
        ...posting,
        ...entry,
        debit_minor: Math.max(0, amount_minor),
        credit_minor: Math.max(0, -amount_minor),
        created_at: tx.now,
      });
  const owed = sumOf(entries.filter(({ account }) => account === "receivables").map((entry) => entry.amount_minor));
  await addToMonth(tx, posting, owed);
  await addToVat(tx, posting, entries);
  await addToBalance(tx, posting, owed);
}

/** The sums of a month without entries. */
export const noSums = { issued_minor: 0, credited_minor: 0, voided_minor: 0, collected_minor: 0, refunded_minor: 0 };

/** The column of the month's sums that a posting adds to, and whether it lowers what is owed. */
export const sumOfPosting = {
  invoice: ["issued_minor", 1],
  credit_note: ["credited_minor", -1],
  void: ["voided_minor", -1],
  payment: ["collected_minor", -1],
  refund: ["refunded_minor", 1],
} as const satisfies Record<PostingKind, [keyof typeof noSums, 1 | -1]>;

/** Two statements: they make the month, if there is none, and add to one of its sums. */
function addingTo(name: keyof typeof noSums): readonly SQL[] {
  const column = sql.identifier(name);
  const month = sql`insert into ${financeMonths}
      (month, currency, issued_minor, credited_minor, voided_minor, collected_minor, refunded_minor, updated_at)
      values (${value("month")}, ${value("currency")}, 0, 0, 0, 0, 0, ${value("now")})
      on conflict (month, currency) do nothing`;
  const add = sql`update ${financeMonths} set ${column} = ${column} + ${value("amount")},
      updated_at = ${value("now")}
      where month = ${value("month")} and currency = ${value("currency")}`;
  return [month, add];
}

const months: Record<PostingKind, readonly SQL[]> = {
  invoice: addingTo(sumOfPosting.invoice[0]),
  credit_note: addingTo(sumOfPosting.credit_note[0]),
  void: addingTo(sumOfPosting.void[0]),
  payment: addingTo(sumOfPosting.payment[0]),
  refund: addingTo(sumOfPosting.refund[0]),
};

export const monthOf = (date: LegalDate): Month => date.slice(0, 7) as Month;

async function addToMonth(tx: Tx<"tenant">, { posting, on, currency }: Posting, owed: number): Promise<void> {
  const [, sign] = sumOfPosting[posting];
  const month = monthOf(on);
  for (const statement of months[posting])
    await tx.each(statement, [{ month, currency, amount: sign * owed, now: tx.now }]);
}

async function addToVat(tx: Tx<"tenant">, { on, currency }: Posting, entries: readonly Entry[]): Promise<void> {
  for (const { account, amount_minor, vat_category, vat_rate } of entries) {
    if ((account !== "revenue" && account !== "vat") || vat_category === undefined || vat_rate === undefined) continue;
    const [net, vat] = account === "revenue" ? [-amount_minor, 0] : [0, -amount_minor];
    await tx.each(vatMonths, [{ month: monthOf(on), currency, vat_category, vat_rate, net, vat }]);
  }
}

const vatMonths = sql`insert into ${financeVatMonths} (month, currency, vat_category, vat_rate, net_minor, vat_minor)
  values (${value("month")}, ${value("currency")}, ${value("vat_category")}, ${value("vat_rate")}, ${value("net")}, ${value("vat")})
  on conflict (month, currency, vat_category, vat_rate) do update
  set net_minor = net_minor + excluded.net_minor, vat_minor = vat_minor + excluded.vat_minor`;

const addToBalance = (tx: Tx<"tenant">, { person_id, currency }: Posting, owed: number) =>
  tx.each(balances, [{ person_id, currency, owed, now: tx.now }]);

const balances = sql`insert into ${financeBalances} (person_id, currency, balance_minor, updated_at)
  values (${value("person_id")}, ${value("currency")}, ${value("owed")}, ${value("now")})
  on conflict (person_id, currency) do update
  set balance_minor = balance_minor + excluded.balance_minor, updated_at = excluded.updated_at`;
