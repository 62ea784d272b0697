import { toInstant } from "../../../core/clock.ts";
import { conflict } from "../../../core/errors.ts";
import type { FlightId } from "../../../core/ids.ts";
import { netOf, sumOf } from "../../../core/money.ts";
import { currencyOf } from "../../../identity/currency.queries.ts";
import type { InOrganization } from "../../../storage/context.ts";
import type { Reader } from "../../../storage/store.ts";
import { personNameOf } from "../../people/people.queries.ts";
import { decimal } from "../finance.fields.ts";
import { type Taxed, totalsOf, withVat } from "../vat-of-lines.ts";
import { type Bill, type BilledLine, billOf } from "./bill.ts";
import type { Preview } from "./billing.schemas.ts";
import { requireBilled } from "./read-billing.ts";

/**
 * Returns what a flight that is not approved yet will cost, by the same rules as its posting.
 *
 * @throws NOT_FOUND no such flight, or the caller may not see it or does not pay for it; CONFLICT it is approved or reversed
 */
export async function previewFlight(context: InOrganization, { flightId }: { flightId: FlightId }): Promise<Preview> {
  const { actor, clock, tenant } = context;
  const currency = await currencyOf(context);
  return tenant.read(async (reader) => {
    const { flight, row } = await requireBilled(reader, { flightId, actor });
    if (flight.status === "approved" || flight.status === "reversed")
      throw conflict(
        "wrong_status",
        `The flight is ${flight.status}: \`…/finance/flights/${flightId}\` has its charges, if it is charged.`,
        { status: flight.status, allowed: ["draft", "submitted", "rejected"] },
      );
    const terms = { named: row?.named_payer_id ?? null, currency, now: toInstant(clock.now()) };
    return shownBill(reader, await billOf(reader, flight, terms), currency);
  });
}

/** Returns a bill with its amounts. */
export async function shownBill(
  reader: Reader<"tenant">,
  { on, payer_id, free, lines, missing }: Bill,
  currency: string,
): Promise<Preview> {
  const taxed = withVat(lines.map((line) => ({ ...line, net_minor: netOf(line.quantity, line) })));
  const { net_minor, vat_minor, gross_minor } = totalsOf(taxed);
  const payer_name = await personNameOf(reader, payer_id);
  const totals = { currency, net_minor, vat_minor, gross_minor };
  return { on, payer_id, payer_name, free, missing, lines: taxed.map(shown), ...totals };
}

const shown = (line: BilledLine & Taxed): Preview["lines"][number] => ({
  ...line,
  quantity: decimal(line.quantity),
  vat_rate: decimal(line.vat_rate),
  gross_minor: sumOf([line.net_minor, line.vat_minor]),
});
