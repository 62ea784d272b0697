import { and, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { authorize } from "../../../core/actor.ts";
import type { FlightId } from "../../../core/ids.ts";
import { currencyOf } from "../../../identity/currency.queries.ts";
import type { By, InOrganization } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { asPosted } from "../charges/charges.queries.ts";
import { type ChargeRow, financeCharges as charges } from "../finance.tables.ts";
import { writeDraft } from "../invoices/draft.ts";
import { invoiceEntity } from "../invoices/invoices.queries.ts";
import { takeLines } from "../invoices/lines-of-charges.ts";
import { sellingOrganization, send } from "../invoices/send.ts";
import type { InvoiceId } from "../invoices.tables.ts";
import { billingRow } from "./billing.queries.ts";
import type { NewRebilling, Rebilling } from "./billing.schemas.ts";
import { requireApproved, requirePayer } from "./billing.verbs.ts";
import { newBilling, raiseAnew, setBilling, takeBackInEffect } from "./flight-charges.ts";
import { readBilling } from "./read-billing.ts";

/**
 * Bills an approved flight to another payer, whether it was invoiced or not: credits what was sent, takes back what was not, and
 * invoices the flight to the person who pays it from now on.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR no such person; CONFLICT the flight is not approved, or was imported
 */
export async function rebillFlight(
  context: InOrganization,
  { flightId, payer_id, reason, send: sends }: { flightId: FlightId } & NewRebilling,
): Promise<Rebilling> {
  authorize(context.actor, "finance:manage");
  const currency = await currencyOf(context);
  const organization = await sellingOrganization(context);
  return context.tenant.write(async (tx) => {
    const flight = await requireApproved(tx, context, flightId);
    await requirePayer(tx, payer_id);
    await takeBackInEffect(tx, context, flightId, reason);
    const credit_note_ids = await draftCreditNotes(tx, context, flightId, reason);
    const row = (await billingRow(tx, flightId)) ?? (await newBilling(tx, flight));
    await setBilling(tx, context, "payer_named", { ...row, named_payer_id: payer_id });
    await raiseAnew(tx, context, flight, currency);
    const invoice_id = await draftInvoice(tx, context, flightId);
    if (sends)
      for (const id of [...credit_note_ids, ...(invoice_id ? [invoice_id] : [])])
        await send(tx, context, id, organization);
    return { ...(await readBilling(tx, { flightId, actor: context.actor })), credit_note_ids, invoice_id };
  });
}

/** Drafts a credit note for each invoice that charges of the flight are on which were taken back. */
async function draftCreditNotes(tx: Tx<"tenant">, by: By, flightId: FlightId, note: string): Promise<InvoiceId[]> {
  const made: InvoiceId[] = [];
  for (const [credits_id, reversals] of Map.groupBy(await openReversals(tx, flightId), ({ invoice }) => invoice)) {
    if (credits_id === null) continue;
    const lines = await takeLines(
      tx,
      reversals.map(({ charge }) => charge),
    );
    if (lines.length === 0) continue;
    const { person_id, currency, deliver_to } = await invoiceEntity.row(tx, { invoiceId: credits_id });
    const head = { person_id, currency, deliver_to, note, credits_id };
    made.push((await writeDraft(tx, by, head, lines)).value.id);
  }
  return made;
}

const isOpen = (flightId: FlightId) => and(eq(charges.flight_id, flightId), eq(charges.status, "open"));

/** Returns the reversals of the flight's charges and their discounts that are on no document, and which invoices they credit. */
function openReversals(reader: Reader<"tenant">, flightId: FlightId) {
  const taken = alias(charges, "taken");
  const own = sql`select id from ${charges} where flight_id = ${flightId}`;
  return reader
    .select({ charge: charges, invoice: taken.invoice_id })
    .from(charges)
    .innerJoin(taken, eq(taken.id, charges.reverses_id))
    .where(
      sql`${taken.id} in (${own} union all select id from ${charges} where reduces_id in (${own}))
        and ${charges.status} = 'open'`,
    )
    .orderBy(asPosted);
}

/** Drafts the invoice of what the flight is charged. Returns null if nothing is: the payer's package has the hours, or has no rate. */
async function draftInvoice(tx: Tx<"tenant">, by: By, flightId: FlightId): Promise<InvoiceId | null> {
  const raised: ChargeRow[] = await tx
    .select()
    .from(charges)
    .where(and(isOpen(flightId), isNull(charges.reverses_id)))
    .orderBy(asPosted);
  const [first] = raised;
  if (first === undefined) return null;
  const { person_id, currency } = first;
  return (await writeDraft(tx, by, { person_id, currency, note: null }, await takeLines(tx, raised))).value.id;
}
