import {
  amountsIn,
  at,
  type Element,
  each,
  hundredths,
  parse,
  type ReadInvoice,
  type ReadParty,
  text,
} from "./read-e-invoice.ts";

/** Reads an invoice or a credit note in CII, as Factur-X contains it. */
export function readCii(xml: string): ReadInvoice {
  const root = parse(xml).CrossIndustryInvoice;
  const head = root.ExchangedDocument;
  const trade = root.SupplyChainTradeTransaction;
  const agreement = trade.ApplicableHeaderTradeAgreement;
  const settlement = trade.ApplicableHeaderTradeSettlement;
  const delivery = trade.ApplicableHeaderTradeDelivery;
  const total = settlement.SpecifiedTradeSettlementHeaderMonetarySummation;
  const means = settlement.SpecifiedTradeSettlementPaymentMeans;
  const place = at(delivery, "ShipToTradeParty", "PostalTradeAddress");
  return {
    specification: text(at(root, "ExchangedDocumentContext", "GuidelineSpecifiedDocumentContextParameter", "ID")),
    type: text(at(head, "TypeCode")),
    number: text(at(head, "ID")),
    issued: dayAt(head, "IssueDateTime"),
    due: dayAt(settlement, "SpecifiedTradePaymentTerms", "DueDateDateTime"),
    currency: text(settlement.InvoiceCurrencyCode),
    reference: text(agreement.BuyerReference),
    notes: text(at(head, "IncludedNote", "Content")),
    credits: each(settlement.InvoiceReferencedDocument).map((one) => text(at(one, "IssuerAssignedID"))),
    delivered: dayAt(delivery, "ActualDeliverySupplyChainEvent", "OccurrenceDateTime"),
    period: periodOf(settlement),
    deliveredTo: place && addressOf(place),
    paymentCode: means && (text(means.TypeCode) ?? ""),
    account:
      at(means, "PayeePartyCreditorFinancialAccount") && (text(means.PayeePartyCreditorFinancialAccount.IBANID) ?? ""),
    terms: text(at(settlement, "SpecifiedTradePaymentTerms", "Description")),
    seller: partyOf(agreement.SellerTradeParty),
    buyer: partyOf(agreement.BuyerTradeParty),
    lines: (trade.IncludedSupplyChainTradeLineItem ?? []).map((line: Element) => {
      const price = at(line, "SpecifiedLineTradeAgreement", "NetPriceProductTradePrice");
      const quantity = at(line, "SpecifiedLineTradeDelivery", "BilledQuantity");
      const settled = line.SpecifiedLineTradeSettlement;
      const tax = at(settled, "ApplicableTradeTax", "0");
      return {
        id: text(at(line, "AssociatedDocumentLineDocument", "LineID")),
        name: text(at(line, "SpecifiedTradeProduct", "Name")),
        note: text(at(line, "AssociatedDocumentLineDocument", "IncludedNote", "Content")),
        period: periodOf(settled),
        quantity: hundredths(quantity),
        unit: at(quantity, "@_unitCode"),
        price: hundredths(at(price, "ChargeAmount")),
        base: hundredths(at(price, "BasisQuantity")) ?? 100n,
        ...taxOf(tax),
        net: hundredths(at(settled, "SpecifiedTradeSettlementLineMonetarySummation", "LineTotalAmount")),
      };
    }),
    subtotals: (settlement.ApplicableTradeTax ?? []).map((tax: Element) => ({
      ...taxOf(tax),
      reason: text(tax.ExemptionReason),
      reasonCode: text(tax.ExemptionReasonCode),
      net: hundredths(tax.BasisAmount),
      vat: hundredths(tax.CalculatedAmount),
    })),
    totals: {
      lines: hundredths(at(total, "LineTotalAmount")),
      net: hundredths(at(total, "TaxBasisTotalAmount")),
      vat: hundredths(at(total, "TaxTotalAmount")),
      gross: hundredths(at(total, "GrandTotalAmount")),
      prepaid: hundredths(at(total, "TotalPrepaidAmount")),
      due: hundredths(at(total, "DuePayableAmount")),
    },
    amounts: amountsIn(root),
  };
}

/** Returns a day as `YYYY-MM-DD`. */
const dayAt = (element: Element, ...path: string[]): string | undefined =>
  text(at(element, ...path, "DateTimeString"))?.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");

const periodOf = (element: Element) => ({
  start: dayAt(element, "BillingSpecifiedPeriod", "StartDateTime"),
  end: dayAt(element, "BillingSpecifiedPeriod", "EndDateTime"),
});

const taxOf = (tax: Element) =>
  at(tax, "TypeCode") === "VAT"
    ? { category: text(tax.CategoryCode), rate: hundredths(tax.RateApplicablePercent) }
    : { category: undefined, rate: undefined };

const addressOf = (address: Element) => ({
  street: text(at(address, "LineOne")),
  postcode: text(at(address, "PostcodeCode")),
  city: text(at(address, "CityName")),
  country: text(at(address, "CountryID")),
});

function partyOf(party: Element): ReadParty {
  const taxId = (scheme: string) =>
    text(party?.SpecifiedTaxRegistration?.find((one: Element) => at(one, "ID", "@_schemeID") === scheme)?.ID);
  const endpoint = at(party, "URIUniversalCommunication", "URIID");
  const contact = at(party, "DefinedTradeContact");
  return {
    name: text(at(party, "Name")),
    id: text(at(party, "ID")),
    registration: text(at(party, "SpecifiedLegalOrganization", "ID")),
    vatId: taxId("VA"),
    taxNumber: taxId("FC"),
    endpoint: text(endpoint),
    endpointScheme: at(endpoint, "@_schemeID"),
    ...addressOf(at(party, "PostalTradeAddress")),
    contact: text(at(contact, "PersonName")),
    phone: text(at(contact, "TelephoneUniversalCommunication", "CompleteNumber")),
    email: text(at(contact, "EmailURIUniversalCommunication", "URIID")),
  };
}
