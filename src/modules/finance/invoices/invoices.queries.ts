import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { type MemberActor, permits } from "../../../core/actor.ts";
import type { Instant } from "../../../core/clock.ts";
import type { PersonId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { changeTime } from "../../../storage/changes.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { lookUp } from "../../../storage/lookup.ts";
import { descending, nullAsEmpty, type PageRequest, pageBody, pageBy } from "../../../storage/page.ts";
import { resourceJson } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { type InvoiceId, type InvoiceRow, financeInvoices as table } from "../invoices.tables.ts";
import { visibleTo } from "../own-money.queries.ts";
import { type Invoice, invoice, listedInvoice, publicInvoice, publicInvoiceWithLines } from "./invoices.shapes.ts";

type TenantReader = Reader<"tenant">;

const byId = { table, path: { invoiceId: table.id } };

/** Its reads do not check the actor. */
export const invoiceEntity = entityOf("finance_invoice", {
  ...byId,
  shape: invoice,
  changeTime: changeTime(table),
});

export const { find: findPublicInvoice } = entityOf("finance_invoice", { ...byId, shape: publicInvoiceWithLines });

/** Returns the row, without checking the actor. */
export const findInvoiceRow = (reader: TenantReader, id: InvoiceId): Promise<InvoiceRow | undefined> =>
  rowById(reader, { id });

const rowById = lookUp(getTableColumns(table), sql`from ${table} where ${table.id} = ${sql.placeholder("id")}`);

interface Filter {
  status?: InvoiceRow["status"] | undefined;
  from?: Instant | undefined;
  to?: Instant | undefined;
}

const issued = nullAsEmpty(table.issued_on);

/** What has no `issued_on`, a draft, is not in a period. */
const inPeriod = ({ from, to }: { from?: unknown; to?: unknown }) =>
  and(
    from === undefined ? undefined : sql`${issued} >= ${from}`,
    to === undefined ? undefined : sql`${issued} < ${to} and ${issued} > ''`,
  );

/** Returns JSON text, the newest first; drafts last. */
export const listPublicInvoices = pageBy<typeof publicInvoice.fields, Filter>(publicInvoice, {
  from: table,
  where: ({ status, ...period }) => and(status && sql`${table.status} = ${status}`, inPeriod(period)),
  orderBy: descending(publicInvoice, "issued_on", "id"),
});

/** Members without `finance:read` see what was sent to them. */
function visible(actor: MemberActor) {
  const own = visibleTo(actor, table.person_id);
  return permits(actor, "finance:read") ? own : and(own, sql`${table.number} is not null`);
}

export interface InvoiceFilter extends Filter {
  person_id?: PersonId | undefined;
  kind?: InvoiceRow["kind"] | undefined;
}

/** Returns JSON text, as `listPublicInvoices`. */
export function listInvoices(
  reader: TenantReader,
  actor: MemberActor,
  { person_id, kind, status, from, to, ...page }: InvoiceFilter & PageRequest,
) {
  const where = and(
    person_id && eq(table.person_id, person_id),
    status && sql`${sql.raw(person_id ? "+" : "")}${table.status} = ${status}`,
    kind && sql`${sql.raw((person_id ?? status) ? "+" : "")}${table.kind} = ${kind}`,
    inPeriod({ from, to }),
    visible(actor),
  );
  return pageBody(reader, listedInvoice, {
    ...page,
    from: table,
    where,
    orderBy: descending(listedInvoice, "issued_on", "id"),
  });
}

/** @throws NOT_FOUND no such invoice, or the actor may not see it */
export const findInvoice = (reader: TenantReader, id: InvoiceId, actor: MemberActor): Promise<JsonOf<Invoice>> =>
  resourceJson(reader, invoice, { from: table, where: and(eq(table.id, id), visible(actor)) });
