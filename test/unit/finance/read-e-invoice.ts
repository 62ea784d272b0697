/** Reads e-invoices by an XML parser, into the terms of EN 16931. Amounts are integers of 1/100. */
import { XMLParser } from "fast-xml-parser";

export interface ReadLine {
  name: string;
  /** In hundredths. */
  quantity: bigint;
  unit: string;
  price: bigint;
  /** How many units the price is for. */
  base: bigint;
  category: string;
  rate: bigint;
  net: bigint;
}

export interface ReadInvoice {
  type: string;
  number: string;
  currency: string;
  seller: string;
  buyer: string;
  reference: string | undefined;
  notes: string | undefined;
  credits: string | undefined;
  lines: ReadLine[];
  subtotals: { category: string; rate: bigint; reason: string | undefined; net: bigint; vat: bigint }[];
  totals: { lines: bigint; net: bigint; vat: bigint; gross: bigint; prepaid: bigint; due: bigint };
}

// biome-ignore lint/suspicious/noExplicitAny: the elements of two formats, whose absence fails the test
type Element = any;

const several = new Set([
  ...["InvoiceLine", "CreditNoteLine", "TaxSubtotal"],
  ...["IncludedSupplyChainTradeLineItem", "ApplicableTradeTax", "SpecifiedTaxRegistration"],
]);
const parser = new XMLParser({
  ...{ ignoreAttributes: false, removeNSPrefix: true, parseTagValue: false },
  isArray: (name) => several.has(name),
});

/** Reads a decimal of at most two places, as hundredths. */
function hundredths(element: Element): bigint {
  const text: string = textOf(element);
  const [, sign, whole = "", places = ""] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (sign === undefined) throw new Error(`${text} is not an amount.`);
  return BigInt(`${sign}${whole}${places.padEnd(2, "0")}`);
}

const textOf = (element: Element): string => (typeof element === "object" ? element["#text"] : element);

export function readUbl(xml: string): ReadInvoice {
  const file: Element = parser.parse(xml);
  const kind = file.Invoice ? "Invoice" : "CreditNote";
  const root = file[kind];
  const total = root.LegalMonetaryTotal;
  return {
    type: root[`${kind}TypeCode`],
    number: root.ID,
    currency: root.DocumentCurrencyCode,
    seller: root.AccountingSupplierParty.Party.PartyLegalEntity.RegistrationName,
    buyer: root.AccountingCustomerParty.Party.PartyLegalEntity.RegistrationName,
    reference: root.BuyerReference,
    notes: root.Note,
    credits: root.BillingReference?.InvoiceDocumentReference.ID,
    lines: root[`${kind}Line`].map((line: Element) => {
      const quantity = line[kind === "Invoice" ? "InvoicedQuantity" : "CreditedQuantity"];
      return {
        name: line.Item.Name,
        quantity: hundredths(quantity),
        unit: quantity["@_unitCode"],
        price: hundredths(line.Price.PriceAmount),
        base: BigInt(textOf(line.Price.BaseQuantity ?? "1")),
        category: line.Item.ClassifiedTaxCategory.ID,
        rate: hundredths(line.Item.ClassifiedTaxCategory.Percent),
        net: hundredths(line.LineExtensionAmount),
      };
    }),
    subtotals: root.TaxTotal.TaxSubtotal.map((subtotal: Element) => ({
      category: subtotal.TaxCategory.ID,
      rate: hundredths(subtotal.TaxCategory.Percent),
      reason: subtotal.TaxCategory.TaxExemptionReason,
      net: hundredths(subtotal.TaxableAmount),
      vat: hundredths(subtotal.TaxAmount),
    })),
    totals: {
      lines: hundredths(total.LineExtensionAmount),
      net: hundredths(total.TaxExclusiveAmount),
      vat: hundredths(root.TaxTotal.TaxAmount),
      gross: hundredths(total.TaxInclusiveAmount),
      prepaid: hundredths(total.PrepaidAmount ?? "0"),
      due: hundredths(total.PayableAmount),
    },
  };
}

export function readCii(xml: string): ReadInvoice {
  const { ExchangedDocument: head, SupplyChainTradeTransaction: trade } = (parser.parse(xml) as Element)
    .CrossIndustryInvoice;
  const agreement = trade.ApplicableHeaderTradeAgreement;
  const settlement = trade.ApplicableHeaderTradeSettlement;
  const total = settlement.SpecifiedTradeSettlementHeaderMonetarySummation;
  return {
    type: head.TypeCode,
    number: head.ID,
    currency: settlement.InvoiceCurrencyCode,
    seller: agreement.SellerTradeParty.Name,
    buyer: agreement.BuyerTradeParty.Name,
    reference: agreement.BuyerReference,
    notes: head.IncludedNote?.Content,
    credits: settlement.InvoiceReferencedDocument?.IssuerAssignedID,
    lines: trade.IncludedSupplyChainTradeLineItem.map((line: Element) => {
      const price = line.SpecifiedLineTradeAgreement.NetPriceProductTradePrice;
      const quantity = line.SpecifiedLineTradeDelivery.BilledQuantity;
      const [tax] = line.SpecifiedLineTradeSettlement.ApplicableTradeTax;
      return {
        name: line.SpecifiedTradeProduct.Name,
        quantity: hundredths(quantity),
        unit: quantity["@_unitCode"],
        price: hundredths(price.ChargeAmount),
        base: BigInt(textOf(price.BasisQuantity ?? "1")),
        category: tax.CategoryCode,
        rate: hundredths(tax.RateApplicablePercent),
        net: hundredths(
          line.SpecifiedLineTradeSettlement.SpecifiedTradeSettlementLineMonetarySummation.LineTotalAmount,
        ),
      };
    }),
    subtotals: settlement.ApplicableTradeTax.map((tax: Element) => ({
      category: tax.CategoryCode,
      rate: hundredths(tax.RateApplicablePercent),
      reason: tax.ExemptionReason,
      net: hundredths(tax.BasisAmount),
      vat: hundredths(tax.CalculatedAmount),
    })),
    totals: {
      lines: hundredths(total.LineTotalAmount),
      net: hundredths(total.TaxBasisTotalAmount),
      vat: hundredths(total.TaxTotalAmount),
      gross: hundredths(total.GrandTotalAmount),
      prepaid: hundredths(total.TotalPrepaidAmount ?? "0"),
      due: hundredths(total.DuePayableAmount),
    },
  };
}
