/** Discounts: charges of a negative price that name the charge that they reduce, and share its fate. */
import { and, eq, inArray, sql } from "drizzle-orm";
import { conflict, invalid } from "../../../core/errors.ts";
import { sumOf } from "../../../core/money.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { vatIn } from "../finance.fields.ts";
import { type ChargeId, type ChargeRow, financeCharges as charges } from "../finance.tables.ts";
import type { Vat } from "../finance.values.ts";
import { vatOf } from "../settings/settings.ts";
import { vatGroup } from "../vat-of-lines.ts";
import { asPosted, isReversed } from "./charges.queries.ts";
import type { NewCharge } from "./charges.schemas.ts";

/** Returns the discounts on a charge that no other charge takes back, the oldest first. */
export function discountsOn(reader: Reader<"tenant">, id: ChargeId): Promise<ChargeRow[]> {
  const taken = sql`select 1 from ${charges} as taken where taken.reverses_id = ${charges.id}`;
  return reader
    .select()
    .from(charges)
    .where(and(eq(charges.reduces_id, id), sql`not exists (${taken})`))
    .orderBy(asPosted);
}

/** Returns charges with the open ones that they reduce, and that reduce these: a discount is invoiced with what it reduces. */
export async function withDiscounts(reader: Reader<"tenant">, chosen: readonly ChargeRow[]): Promise<ChargeRow[]> {
  const reduced = chosen.map(({ id, reduces_id }) => reduces_id ?? id);
  const isOf = sql`(${inArray(charges.id, reduced)} or ${inArray(charges.reduces_id, reduced)})`;
  const related = await reader
    .select()
    .from(charges)
    .where(and(isOf, eq(charges.status, "open")))
    .orderBy(asPosted);
  return [...chosen, ...related.filter(({ id }) => !chosen.some((one) => one.id === id))];
}

/**
 * Returns the day and the VAT of a discount: those of what it reduces.
 *
 * @param amount of the discount
 * @throws VALIDATION_ERROR it is no discount, or does not fit what it reduces; CONFLICT that was invoiced or reversed
 */
export async function reductionOf(
  tx: Tx<"tenant">,
  { reduces_id, ...input }: Omit<NewCharge, "reduces_id"> & { reduces_id: ChargeId },
  { currency, net_minor }: Pick<ChargeRow, "currency" | "net_minor">,
): Promise<Pick<ChargeRow, "on"> & Vat> {
  const impossible = (path: string, message: string) => invalid({ path, code: "impossible", message });
  if (net_minor >= 0) throw impossible("unit_price_minor", "A discount has a negative price.");
  const [reduced] = await tx.select().from(charges).where(eq(charges.id, reduces_id));
  if (reduced?.person_id !== input.person_id)
    throw invalid({ path: "reduces_id", code: "unknown", message: "The person has no such charge." });
  if (reduced.currency !== currency)
    throw impossible("reduces_id", `The charge is in ${reduced.currency}, and the discount in ${currency}.`);
  if (reduced.net_minor <= 0 || reduced.reverses_id !== null)
    throw impossible("reduces_id", "Only a charge with a positive amount, that is no reversal, can be reduced.");
  if (await isReversed(tx, reduced.id)) throw conflict("charge_reversed", "The charge was reversed.");
  if (reduced.status !== "open")
    throw conflict(
      "charge_invoiced",
      "The charge is on an invoice. Void the draft first; of one that was sent, credit an amount.",
    );
  const others = (await discountsOn(tx, reduced.id)).map((one) => one.net_minor);
  if (sumOf([reduced.net_minor, ...others, net_minor]) < 0)
    throw impossible("unit_price_minor", "With its other discounts, it is more than what it reduces.");
  if (input.on !== null && input.on !== reduced.on)
    throw impossible("on", `A discount has the day of what it reduces: ${reduced.on}.`);
  const { vat_category, vat_rate, vat_reason, vat_reason_code } = input;
  const isStated = [vat_category, vat_rate, vat_reason, vat_reason_code].some((one) => one !== null);
  if (isStated && vatGroup(await vatOf(tx, input)) !== vatGroup(reduced))
    throw impossible("vat_category", "A discount has the VAT of what it reduces. Null: the same.");
  return { on: reduced.on, ...vatIn(reduced) };
}
