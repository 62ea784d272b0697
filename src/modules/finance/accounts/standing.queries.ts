/** How a person stands with the school: the sums that an account and the clearance are made of. */
import { type Placeholder, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { PersonId } from "../../../core/ids.ts";
import { sumOf } from "../../../core/money.ts";
import { nullAsEmpty } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { financeCharges as charges } from "../finance.tables.ts";
import { financeInvoices as invoices, isOpen } from "../invoices.tables.ts";
import { financeBalances as balances } from "../ledger.tables.ts";

/** As `vatOn`: rounded half away from zero. */
const vatOnNet = sql.raw("iif(net < 0, -1, 1) * ((2 * abs(net) * vat_rate + 10000) / 20000)");

/** As on one invoice: the VAT of each group of `vatGroup` is rounded once. */
const openCharges = (id: SQL | Placeholder) => sql`
  select currency, 'charges', sum(net + ${vatOnNet}) from (
    select ${charges.currency} as currency, ${charges.vat_rate} as vat_rate, sum(${charges.net_minor}) as net
    from ${charges} where ${charges.person_id} = ${id} and ${charges.status} = 'open'
    group by ${charges.currency}, ${charges.vat_category}, ${charges.vat_rate}, ${charges.vat_reason},
      ${charges.vat_reason_code})
  group by currency`;

const issued = nullAsEmpty(invoices.issued_on);

/** One statement, each part of which reads an index of the person. */
const partsOf = (id: SQL | Placeholder) => sql`
  select json_group_array(json_array(currency, part, amount)) from (
    select ${balances.currency} as currency, 'balance' as part, -${balances.balance_minor} as amount
      from ${balances} where ${balances.person_id} = ${id}
    union all ${openCharges(id)}
    union all select ${invoices.currency}, 'charges', sum(${invoices.gross_minor})
      from ${invoices} where ${invoices.person_id} = ${id} and ${issued} = '' and +${invoices.status} = 'draft'
      group by ${invoices.currency}
    union all select ${invoices.currency}, 'invoices',
        sum(${invoices.gross_minor} - ${invoices.paid_minor} - ${invoices.credited_minor})
      from ${invoices} where ${invoices.person_id} = ${id} and ${isOpen} and ${invoices.kind} = 'invoice'
      group by ${invoices.currency})`;

const statement = partsOf(sql.placeholder("id"));

const Parts = z.array(z.tuple([z.string(), z.enum(["balance", "charges", "invoices"]), z.int()]));

export interface Standing {
  currency: string;
  /** By the journal. Positive: the school owes the person. */
  balance_minor: number;
  /** What is on no invoice that was sent. */
  open_charges_minor: number;
  /** What is left to pay of invoices. */
  open_invoices_minor: number;
  /** The balance, if everything was invoiced. */
  available_minor: number;
  /** Paid and not used: payments on account, and what credit notes have left. */
  on_account_minor: number;
}

/** Returns how a person stands in each currency, sorted by it. Does not check the actor. */
export async function standingOf(reader: Reader<"tenant">, personId: PersonId): Promise<Standing[]> {
  const row = await reader.first(statement, { id: personId });
  return standingIn(String(row?.[0]));
}

const ofMany = sql<[PersonId, string]>`
  select wanted.value, (${partsOf(sql`wanted.value`)}) from json_each(${sql.placeholder("ids")}) as wanted`;

/** As `standingOf`, of many people. */
export async function standingsOf(
  reader: Reader<"tenant">,
  ids: readonly PersonId[],
): Promise<ReadonlyMap<PersonId, Standing[]>> {
  const rows = await reader.rows(ofMany, { ids: JSON.stringify(ids) });
  return new Map(rows.map(([id, parts]) => [id, standingIn(parts)]));
}

/** @param json of the rows of `partsOf` */
function standingIn(json: string): Standing[] {
  const parts = Parts.parse(JSON.parse(json));
  return [...new Set(parts.map(([currency]) => currency))].sort().map((currency) => {
    const totalOf = (name: string) =>
      sumOf(parts.flatMap(([found, part, amount]) => (found === currency && part === name ? [amount] : [])));
    return standing(currency, {
      balance: totalOf("balance"),
      charges: totalOf("charges"),
      invoices: totalOf("invoices"),
    });
  });
}

export const standing = (
  currency: string,
  { balance, charges, invoices } = { balance: 0, charges: 0, invoices: 0 },
): Standing => ({
  currency,
  balance_minor: balance,
  open_charges_minor: charges,
  open_invoices_minor: invoices,
  available_minor: sumOf([balance, -charges]),
  on_account_minor: sumOf([balance, invoices]),
});
