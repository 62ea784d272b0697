/** An invoice, a credit note or a cancellation as one value, from which its documents are made. */
import type { LegalDate } from "../../../core/dates.ts";
import type { Language } from "../../../core/languages.ts";
import { sumOf } from "../../../core/money.ts";
import type { chargeUnits } from "../finance.tables.ts";
import type { Vat } from "../finance.values.ts";
import type { Buyer, DeliverTo, InvoiceKind, Seller } from "../invoices.tables.ts";
import { aloneReason } from "./exemptions.ts";

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
  /** The document with the line that it credits. */
  corrects: Preceding | null;
}

/** A document that another one credits or cancels, or of which it takes back a part. */
export interface Preceding {
  number: string;
  issued_on: LegalDate;
}

export interface NationalVat {
  currency: string;
  vat_minor: number;
  /** Its units for one unit of the document's currency. Null: lines have several. */
  exchange_rate: string | null;
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
  /** What it corrects: the invoices that a credit note credits, what a cancellation cancels, those of which an invoice takes back lines. */
  preceding: readonly Preceding[];
  /** Without a cancellation: so were invoices before these were documents. */
  void: boolean;
  note: string | null;
  seller: Seller;
  buyer: Buyer;
  /** Where goods are delivered to, if it is stated. */
  deliver_to: DeliverTo | null;
  lines: readonly InvoiceLine[];
  /** The sums by category, rate and reason, as they were sent: the highest rate first. */
  vat: readonly (Vat & { net_minor: number; vat_minor: number })[];
  net_minor: number;
  vat_minor: number;
  gross_minor: number;
  /** The VAT in the seller's national currency, if the document is in another one. */
  national: NationalVat | null;
  /** What was settled when it was sent. */
  paid_minor: number;
}

/** The VAT of a category and a rate. */
export interface VatSubtotal extends Pick<Vat, "vat_category" | "vat_rate"> {
  /** Why there is no VAT. */
  reasons: string[];
  /** The code of the reason, if there is only one. */
  reason_code: string | null;
  net_minor: number;
  vat_minor: number;
}

/**
 * Returns one subtotal for each category and rate, the highest rate first: EN 16931 permits one of what is exempt (BR-E-01), whatever
 * its reasons. With several codes, the reasons name them.
 */
export function vatSubtotals({ vat, language }: Pick<InvoiceDocument, "vat" | "language">): VatSubtotal[] {
  const groups = Map.groupBy(vat, ({ vat_category, vat_rate }) => `${vat_category} ${vat_rate}`);
  return [...groups.values()].flatMap((same) =>
    same.slice(0, 1).map(({ vat_category, vat_rate }) => {
      const codes = new Set(same.map(({ vat_reason_code }) => vat_reason_code));
      const [reason_code = null] = codes.size === 1 ? codes : [];
      return {
        vat_category,
        vat_rate,
        reason_code,
        reasons: [...new Set(same.flatMap((one) => reasonOf(one, { language, namesCode: codes.size > 1 }) ?? []))],
        net_minor: sumOf(same.map(({ net_minor }) => net_minor)),
        vat_minor: sumOf(same.map(({ vat_minor }) => vat_minor)),
      };
    }),
  );
}

function reasonOf(vat: Vat, { language, namesCode }: { language: Language; namesCode: boolean }): string | null {
  const text = aloneReason(language, vat);
  return namesCode && text !== null && vat.vat_reason_code !== null ? `${text} (${vat.vat_reason_code})` : text;
}

/** Whether its e-invoice is a credit note (UNTDID 1001, 381), whose amounts are positive there. */
export const isCredit = ({ kind, gross_minor }: Pick<InvoiceDocument, "kind" | "gross_minor">): boolean =>
  kind === "credit_note" || (kind === "cancellation" && gross_minor < 0);

/** Returns what is still to be paid. */
export const outstanding = ({ gross_minor, paid_minor }: InvoiceDocument): number => gross_minor - paid_minor;
