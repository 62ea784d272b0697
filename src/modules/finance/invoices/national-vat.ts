/**
 * The VAT of a document in the seller's national currency, in which the law wants it if the document is in another one (Art. 230 of
 * Directive 2006/112/EC; EN 16931, BT-111). It is computed when the document is sent, and stays. What is charged has the rate of its
 * day (Art. 91 (2); § 16 (6) UStG); what credits has that of the invoice which it credits, and all credits of an invoice together
 * give back what it states.
 */
import { nationalCurrencyOf } from "../../../core/countries.ts";
import { placesOf } from "../../../core/currencies.ts";
import type { LegalDate } from "../../../core/dates.ts";
import { conflict } from "../../../core/errors.ts";
import { type Conversion, converted, convertedAround } from "../../../core/exchange-rates.ts";
import { decimalOf, sumOf } from "../../../core/money.ts";
import type { Tx } from "../../../storage/store.ts";
import type { InvoiceRow, LineId, Seller } from "../invoices.tables.ts";
import { rateOn } from "../settings/exchange-rates.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import { type LineRow, linesOf } from "./lines.ts";
import { ratesOfLines, type Stated, statedVatOf } from "./national-vat.queries.ts";

type NationalColumns = Pick<InvoiceRow, "national_currency" | "exchange_rate" | "national_vat_minor">;
interface Share {
  id: LineId;
  exchange_rate: string;
  national_vat_minor: number;
}

interface NationalVat {
  columns: NationalColumns;
  /** Of the lines with VAT. */
  shares: readonly Share[];
}

/** The most that a document may state, so that the sums of a month stay exact. It is a wrong rate. */
const MOST = 1_000_000_000_000;

const none: NationalVat = {
  columns: { national_currency: null, exchange_rate: null, national_vat_minor: null },
  shares: [],
};

interface Sending {
  row: Pick<InvoiceRow, "id" | "currency" | "exchange_rate">;
  seller: Seller;
  settings: Settings;
  /** Today's. */
  on: LegalDate;
}

/** Returns the VAT of a draft as it is stated when it is sent. @throws CONFLICT there is no exchange rate, or it is absurd */
export async function nationalVatOf(tx: Tx<"tenant">, { row, seller, settings, on }: Sending): Promise<NationalVat> {
  const to = seller.country && nationalCurrencyOf(seller.country);
  const taxed = (await linesOf(tx, row.id)).filter(({ vat_minor }) => vat_minor !== 0);
  if (to === null || to === row.currency || taxed.length === 0) return none;
  const credited = await ratesOfLines(
    tx,
    taxed.flatMap(({ credits_line_id }) => credits_line_id ?? []),
    to,
  );
  const sourceOf = ({ credits_line_id }: LineRow) =>
    credits_line_id === null ? undefined : credited.get(credits_line_id);
  const shares: Share[] = [];
  for (const [invoice, lines] of Map.groupBy(taxed, (line) => sourceOf(line)?.invoice)) {
    const known = lines[0] && sourceOf(lines[0])?.rate;
    const rate = known ?? rateFor(lines, { row, settings, on, to });
    const conversion = { from: row.currency, to, rate };
    const vat = vatOfAll(lines);
    const national =
      invoice === undefined
        ? converted(vat, conversion)
        : -nationalVatOfCredit(await statedVatOf(tx, invoice), -vat, conversion);
    shares.push(...shared(lines, national, conversion));
  }
  const rates = new Set(shares.map(({ exchange_rate }) => exchange_rate));
  const [exchange_rate = null] = rates.size === 1 ? rates : [];
  const national_vat_minor = sumOf(shares.map((share) => share.national_vat_minor));
  if (Math.abs(national_vat_minor) > MOST)
    throw conflict(
      "invoice_not_sendable",
      `The VAT would be ${decimalOf(national_vat_minor, placesOf(to))} ${to}: check the exchange rate.`,
    );
  return { columns: { national_currency: to, exchange_rate, national_vat_minor }, shares };
}

const vatOfAll = (lines: readonly LineRow[]): number => sumOf(lines.map(({ vat_minor }) => vat_minor));

/** Returns the rate of what is charged: the draft's, else that of the last day of supply, or of today if that is to come. */
function rateFor(
  lines: readonly LineRow[],
  { row, settings, on, to }: Pick<Sending, "row" | "settings" | "on"> & { to: string },
): string {
  const last =
    lines
      .map((line) => line.on)
      .sort()
      .at(-1) ?? on;
  const day = last < on ? last : on;
  const rate = row.exchange_rate ?? rateOn(settings.exchange_rates, row.currency, day);
  if (rate !== undefined) return rate;
  throw conflict(
    "exchange_rate_missing",
    `The VAT must be stated in ${to}, too: set the exchange rate of ${row.currency} on ${day} in \`exchange_rates\` of the settings of the money, or \`exchange_rate\` of the draft.`,
    { from: row.currency, to, on: day },
  );
}

/**
 * Returns the national VAT that a credit gives back. What is left of it stays that of the VAT that is left, rounded down or up; with
 * none of that left, nothing is. So many credits add up to what the invoice states.
 */
export function nationalVatOfCredit(left: Stated, credited: number, conversion: Conversion): number {
  const after = left.vat - credited;
  if (after === 0) return left.national;
  const [down, up] = convertedAround(after, conversion);
  return left.national - Math.min(Math.max(left.national - converted(credited, conversion), down), up);
}

/** Divides a national amount between the lines: each has that of the lines so far, less what these have. */
function shared(lines: readonly LineRow[], national: number, conversion: Conversion): Share[] {
  let [vat, given] = [0, 0];
  return lines.map(({ id, vat_minor }, at) => {
    vat = sumOf([vat, vat_minor]);
    const national_vat_minor = (at === lines.length - 1 ? national : converted(vat, conversion)) - given;
    given += national_vat_minor;
    return { id, exchange_rate: conversion.rate, national_vat_minor };
  });
}
