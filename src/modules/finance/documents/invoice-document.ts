/** An invoice, a credit note or a cancellation as one value, from which its documents are made. */
import type { LegalDate } from "../../../core/dates.ts";
import type { Language } from "../../../core/languages.ts";
import type { Vat } from "../finance.fields.ts";
import type { chargeUnits } from "../finance.tables.ts";
import type { Buyer, InvoiceKind, Seller } from "../invoices.tables.ts";

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

/** A document that another one credits or cancels. */
export interface Preceding {
  number: string;
  issued_on: LegalDate;
}

/** Amounts and quantities of a credit note are negative, those of a cancellation opposite to what it cancels. */
export interface InvoiceDocument {
  kind: InvoiceKind;
  language: Language;
  number: string;
  issued_on: LegalDate;
  /** Null in a credit note and a cancellation. */
  due_on: LegalDate | null;
  /** ISO 4217. */
  currency: string;
  /** The invoices that a credit note credits; what a cancellation cancels. */
  preceding: readonly Preceding[];
  /** Without a cancellation: so were invoices before these were documents. */
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

/** Whether its e-invoice is a credit note (UNTDID 1001, 381), whose amounts are positive there. */
export const isCredit = ({ kind, gross_minor }: Pick<InvoiceDocument, "kind" | "gross_minor">): boolean =>
  kind === "credit_note" || (kind === "cancellation" && gross_minor < 0);

/** Returns what is still to be paid. */
export const outstanding = ({ gross_minor, paid_minor }: InvoiceDocument): number => gross_minor - paid_minor;
