/** An invoice or a credit note as one value, from which its documents are made. */
import type { LegalDate } from "../../../core/dates.ts";
import type { Vat } from "../finance.fields.ts";
import type { chargeUnits } from "../finance.tables.ts";
import type { Buyer, Seller } from "../invoices.tables.ts";

export interface InvoiceLine extends Vat {
  description: string;
  /** The day of the service. */
  on: LegalDate;
  /** In hundredths of the unit. It may be negative. */
  quantity: number;
  unit: (typeof chargeUnits)[number];
  /** The price of `price_per` units. It may be negative. */
  unit_price_minor: number;
  /** 60: the price is that of an hour. */
  price_per: number;
  net_minor: number;
}

/** Amounts and quantities of a credit note are negative. */
export interface InvoiceDocument {
  kind: "invoice" | "credit_note";
  number: string;
  issued_on: LegalDate;
  /** Null in a credit note. */
  due_on: LegalDate | null;
  /** ISO 4217. */
  currency: string;
  /** The invoice that a credit note credits. */
  credits: { number: string; issued_on: LegalDate } | null;
  void: boolean;
  note: string | null;
  seller: Seller;
  buyer: Buyer;
  lines: readonly InvoiceLine[];
  /** The sums by category, rate and reason, as they were sent: the highest rate first. */
  vat: readonly (Vat & { net_minor: number; vat_minor: number })[];
  net_minor: number;
  vat_minor: number;
  gross_minor: number;
  /** What was settled when it was sent. */
  paid_minor: number;
}

/** The VAT of a category and a rate. */
export interface VatSubtotal extends Pick<Vat, "vat_category" | "vat_rate"> {
  /** Why it is exempt. */
  reasons: string[];
  net_minor: number;
  vat_minor: number;
}

/** Returns one subtotal for each category and rate, the highest rate first. EN 16931 permits one of exempt lines. */
export function vatSubtotals({ vat }: Pick<InvoiceDocument, "vat">): VatSubtotal[] {
  const subtotals = new Map<string, VatSubtotal>();
  for (const { vat_category, vat_rate, vat_reason, net_minor, vat_minor } of vat) {
    const key = `${vat_category} ${vat_rate}`;
    const subtotal = subtotals.get(key) ?? { vat_category, vat_rate, reasons: [], net_minor: 0, vat_minor: 0 };
    subtotals.set(key, subtotal);
    subtotal.net_minor += net_minor;
    subtotal.vat_minor += vat_minor;
    if (vat_reason !== null && !subtotal.reasons.includes(vat_reason)) subtotal.reasons.push(vat_reason);
  }
  return [...subtotals.values()];
}

/** Returns what is still to be paid. */
export const outstanding = ({ gross_minor, paid_minor }: InvoiceDocument): number => gross_minor - paid_minor;
