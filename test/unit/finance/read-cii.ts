import {
  amountsIn,
  at,
  type Element,
  each,
  hundredthsAt,
  parse,
  type ReadInvoice,
  type ReadParty,
  text,
  textsAt,
  vatAt,
  vatTotals,
} from "./read-e-invoice.ts";

/** Reads an invoice or a credit note in CII, as Factur-X contains it. */
export function readCii(xml: string): ReadInvoice {
  const root = parse(xml).CrossIndustryInvoice;
  const head = root.ExchangedDocument;
  const trade = root.SupplyChainTradeTransaction;
  const agreement = trade.ApplicableHeaderTradeAgreement;
  const settlement = trade.ApplicableHeaderTradeSettlement;
  const delivery = trade.ApplicableHeaderTradeDelivery;
  const means = settlement.SpecifiedTradeSettlementPaymentMeans;
  const currencies = textsAt(settlement, { currency: "InvoiceCurrencyCode", taxCurrency: "TaxCurrencyCode" });
  const sums = settlement.SpecifiedTradeSettlementHeaderMonetarySummation;
  const place = at(delivery, "ShipToTradeParty", "PostalTradeAddress");
  return {
    ...textsAt(root, {
      specification: "ExchangedDocumentContext.GuidelineSpecifiedDocumentContextParameter.ID",
      type: "ExchangedDocument.TypeCode",
      number: "ExchangedDocument.ID",
      notes: "ExchangedDocument.IncludedNote.Content",
    }),
    ...textsAt(settlement, {
      terms: "SpecifiedTradePaymentTerms.Description",
    }),
    ...textsAt(agreement, { reference: "BuyerReference" }),
    issued: dayAt(head, "IssueDateTime"),
    due: dayAt(settlement, "SpecifiedTradePaymentTerms", "DueDateDateTime"),
    ...currencies,
    credits: each(settlement.InvoiceReferencedDocument).map((one) => text(at(one, "IssuerAssignedID"))),
    creditedDays: each(settlement.InvoiceReferencedDocument).map((one) => dayAt(one, "FormattedIssueDateTime")),
    delivered: dayAt(delivery, "ActualDeliverySupplyChainEvent", "OccurrenceDateTime"),
    period: periodOf(settlement),
    deliveredTo: place && textsAt(place, address),
    paymentCode: means && (text(means.TypeCode) ?? ""),
    account:
      at(means, "PayeePartyCreditorFinancialAccount") && (text(means.PayeePartyCreditorFinancialAccount.IBANID) ?? ""),
    seller: partyOf(agreement.SellerTradeParty),
    buyer: partyOf(agreement.BuyerTradeParty),
    lines: (trade.IncludedSupplyChainTradeLineItem ?? []).map((line: Element) => {
      const { base, ...numbers } = hundredthsAt(line, {
        quantity: "SpecifiedLineTradeDelivery.BilledQuantity",
        price: "SpecifiedLineTradeAgreement.NetPriceProductTradePrice.ChargeAmount",
        base: "SpecifiedLineTradeAgreement.NetPriceProductTradePrice.BasisQuantity",
        net: "SpecifiedLineTradeSettlement.SpecifiedTradeSettlementLineMonetarySummation.LineTotalAmount",
      });
      return {
        ...textsAt(line, {
          id: "AssociatedDocumentLineDocument.LineID",
          name: "SpecifiedTradeProduct.Name",
          note: "AssociatedDocumentLineDocument.IncludedNote.Content",
          unit: "SpecifiedLineTradeDelivery.BilledQuantity.@_unitCode",
        }),
        ...{ period: periodOf(line.SpecifiedLineTradeSettlement), ...numbers, base: base ?? 100n },
        ...vatAt(at(line, "SpecifiedLineTradeSettlement", "ApplicableTradeTax", "0"), vat),
      };
    }),
    subtotals: (settlement.ApplicableTradeTax ?? []).map((tax: Element) => ({
      ...vatAt(tax, vat),
      ...textsAt(tax, { reason: "ExemptionReason", reasonCode: "ExemptionReasonCode" }),
      ...hundredthsAt(tax, { net: "BasisAmount", vat: "CalculatedAmount" }),
    })),
    totals: {
      ...vatTotals(sums?.TaxTotalAmount, currencies),
      ...hundredthsAt(sums, {
        lines: "LineTotalAmount",
        net: "TaxBasisTotalAmount",
        gross: "GrandTotalAmount",
        prepaid: "TotalPrepaidAmount",
        due: "DuePayableAmount",
      }),
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

const vat = { scheme: "TypeCode", category: "CategoryCode", rate: "RateApplicablePercent" };
const address = { street: "LineOne", postcode: "PostcodeCode", city: "CityName", country: "CountryID" };

function partyOf(party: Element): ReadParty {
  const taxId = (scheme: string) =>
    text(party?.SpecifiedTaxRegistration?.find((one: Element) => at(one, "ID", "@_schemeID") === scheme)?.ID);
  return {
    ...textsAt(party, {
      name: "Name",
      id: "ID",
      registration: "SpecifiedLegalOrganization.ID",
      endpoint: "URIUniversalCommunication.URIID",
      endpointScheme: "URIUniversalCommunication.URIID.@_schemeID",
      contact: "DefinedTradeContact.PersonName",
      phone: "DefinedTradeContact.TelephoneUniversalCommunication.CompleteNumber",
      email: "DefinedTradeContact.EmailURIUniversalCommunication.URIID",
    }),
    ...{ vatId: taxId("VA"), taxNumber: taxId("FC") },
    ...textsAt(at(party, "PostalTradeAddress"), address),
  };
}
