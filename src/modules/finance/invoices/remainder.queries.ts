import { and, eq, getTableColumns, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Reader } from "../../../storage/store.ts";
import { asPosted } from "../charges/charges.queries.ts";
import { type ChargeId, financeCharges as charges } from "../finance.tables.ts";
import {
  type InvoiceId,
  financeInvoices as invoices,
  type LineId,
  financeInvoiceLines as lines,
} from "../invoices.tables.ts";
import { linesOf } from "./lines.ts";
import { type Discount, type Remainder, remainderOf } from "./remainder.ts";

type TenantReader = Reader<"tenant">;

/** What does not count: the lines of a draft that is written anew, and the reversals that it takes. */
export interface Leaving {
  draft?: InvoiceId | undefined;
  reversals?: readonly ChargeId[];
  /** Without drafts. */
  sentOnly?: boolean;
}

/** Returns what remains of an invoice that was sent. Drafts reserve what they credit. */
export async function readRemainder(
  reader: TenantReader,
  id: InvoiceId,
  { reversals = [], ...leaving }: Leaving = {},
): Promise<Remainder> {
  const open = (await openReversalsOf(reader, id)).map(({ charge, line }) => ({ ...charge, line }));
  return remainderOf({
    own: await linesOf(reader, id),
    credits: [
      ...(await creditsBy(reader, inArray(lines.credits_line_id, linesIn(reader, id)), leaving)),
      ...(await creditsBy(reader, and(eq(invoices.credits_id, id), isNull(lines.credits_line_id)), leaving)),
    ],
    discounts: await discountsIn(reader, id),
    reversals: open.filter((one) => !reversals.includes(one.id)),
  });
}

const linesIn = (reader: TenantReader, id: InvoiceId) =>
  reader.select({ id: lines.id }).from(lines).where(eq(lines.invoice_id, id));

const creditsBy = (reader: TenantReader, which: SQL | undefined, { draft, sentOnly = false }: Leaving) =>
  reader
    .select(getTableColumns(lines))
    .from(lines)
    .innerJoin(invoices, eq(invoices.id, lines.invoice_id))
    .where(
      and(
        which,
        ne(invoices.status, "void"),
        sentOnly ? ne(invoices.status, "draft") : undefined,
        draft && ne(invoices.id, draft),
      ),
    );

/** Returns the reversals of an invoice's charges that are on no document. */
export const openReversalsOf = (reader: TenantReader, id: InvoiceId) =>
  reader
    .select({ charge: getTableColumns(charges), line: lines.id })
    .from(lines)
    .innerJoin(charges, eq(charges.reverses_id, lines.charge_id))
    .where(and(eq(lines.invoice_id, id), eq(charges.status, "open")))
    .orderBy(asPosted);

/** Returns the lines of an invoice that are discounts on others of it. */
export async function discountsIn(reader: TenantReader, id: InvoiceId): Promise<Discount[]> {
  const rows = await reader.values<[LineId, LineId]>(sql`select ${lines.id}, reduced.id from ${lines}
    join ${charges} on ${charges.id} = ${lines.charge_id}
    join ${lines} as reduced on reduced.charge_id = ${charges.reduces_id} and reduced.invoice_id = ${lines.invoice_id}
    where ${lines.invoice_id} = ${id}`);
  return rows.map((row) => ({ line: row[0], reduces: row[1] }));
}

/** Returns the line of the invoice that a charge is on. */
export async function lineOfCharge(reader: TenantReader, id: ChargeId) {
  const [found] = await reader
    .select(getTableColumns(lines))
    .from(charges)
    .innerJoin(lines, and(eq(lines.invoice_id, charges.invoice_id), eq(lines.charge_id, charges.id)))
    .where(eq(charges.id, id));
  return found;
}

/** Returns the invoices that lines are on. */
export async function invoicesOf(reader: TenantReader, ids: readonly LineId[]): Promise<Map<LineId, InvoiceId>> {
  const rows = await reader.values<[LineId, InvoiceId]>(sql`select ${lines.id}, ${lines.invoice_id} from ${lines}
    where ${lines.id} in (select value from json_each(${JSON.stringify(ids)}))`);
  return new Map(rows.map((row) => [row[0], row[1]]));
}

/** Returns whether a document that was sent credits a line of the invoice. */
export async function isCreditedBySent(reader: TenantReader, id: InvoiceId): Promise<boolean> {
  const [found] = await reader.values(sql`select 1 from ${lines} as own
    join ${lines} on ${lines.credits_line_id} = own.id
    join ${invoices} on ${invoices.id} = ${lines.invoice_id}
    where own.invoice_id = ${id} and ${invoices.status} not in ('draft', 'void')
    union all select 1 from ${invoices}
    where ${invoices.credits_id} = ${id} and ${invoices.status} not in ('draft', 'void') limit 1`);
  return found !== undefined;
}
