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

/** Reads an invoice or a credit note in UBL 2.1. */
export function readUbl(xml: string): ReadInvoice {
  const file = parse(xml);
  const kind = file.Invoice ? "Invoice" : "CreditNote";
  const root = file[kind];
  const total = root.LegalMonetaryTotal;
  const means = root.PaymentMeans;
  const place = at(root, "Delivery", "DeliveryLocation", "Address");
  return {
    specification: text(root.CustomizationID),
    type: text(root[`${kind}TypeCode`]),
    number: text(root.ID),
    issued: text(root.IssueDate),
    due: text(root.DueDate),
    currency: text(root.DocumentCurrencyCode),
    reference: text(root.BuyerReference),
    notes: text(root.Note),
    credits: each(root.BillingReference).map((one) => text(at(one, "InvoiceDocumentReference", "ID"))),
    delivered: text(at(root, "Delivery", "ActualDeliveryDate")),
    period: periodOf(root),
    deliveredTo: place && addressOf(place),
    paymentCode: means && (text(means.PaymentMeansCode) ?? ""),
    account: at(means, "PayeeFinancialAccount") && (text(means.PayeeFinancialAccount.ID) ?? ""),
    terms: text(at(root, "PaymentTerms", "Note")),
    seller: partyOf(at(root, "AccountingSupplierParty", "Party")),
    buyer: partyOf(at(root, "AccountingCustomerParty", "Party")),
    lines: (root[`${kind}Line`] ?? []).map((line: Element) => {
      const quantity = line[kind === "Invoice" ? "InvoicedQuantity" : "CreditedQuantity"];
      const vat = at(line, "Item", "ClassifiedTaxCategory");
      return {
        id: text(line.ID),
        name: text(at(line, "Item", "Name")),
        note: text(line.Note),
        period: periodOf(line),
        quantity: hundredths(quantity),
        unit: at(quantity, "@_unitCode"),
        price: hundredths(at(line, "Price", "PriceAmount")),
        base: hundredths(at(line, "Price", "BaseQuantity")) ?? 100n,
        ...taxOf(vat),
        net: hundredths(line.LineExtensionAmount),
      };
    }),
    subtotals: (at(root, "TaxTotal", "TaxSubtotal") ?? []).map((subtotal: Element) => ({
      ...taxOf(subtotal.TaxCategory),
      reason: text(at(subtotal, "TaxCategory", "TaxExemptionReason")),
      reasonCode: text(at(subtotal, "TaxCategory", "TaxExemptionReasonCode")),
      net: hundredths(subtotal.TaxableAmount),
      vat: hundredths(subtotal.TaxAmount),
    })),
    totals: {
      lines: hundredths(at(total, "LineExtensionAmount")),
      net: hundredths(at(total, "TaxExclusiveAmount")),
      vat: hundredths(at(root, "TaxTotal", "TaxAmount")),
      gross: hundredths(at(total, "TaxInclusiveAmount")),
      prepaid: hundredths(at(total, "PrepaidAmount")),
      due: hundredths(at(total, "PayableAmount")),
    },
    amounts: amountsIn(root),
  };
}

const periodOf = (element: Element) => ({
  start: text(at(element, "InvoicePeriod", "StartDate")),
  end: text(at(element, "InvoicePeriod", "EndDate")),
});

const taxOf = (tax: Element) =>
  at(tax, "TaxScheme", "ID") === "VAT"
    ? { category: text(tax.ID), rate: hundredths(tax.Percent) }
    : { category: undefined, rate: undefined };

const addressOf = (address: Element) => ({
  street: text(at(address, "StreetName")),
  postcode: text(at(address, "PostalZone")),
  city: text(at(address, "CityName")),
  country: text(at(address, "Country", "IdentificationCode")),
});

function partyOf(party: Element): ReadParty {
  const taxId = (scheme: string) =>
    text(
      at(
        party?.PartyTaxScheme?.find((one: Element) => at(one, "TaxScheme", "ID") === scheme),
        "CompanyID",
      ),
    );
  return {
    name: text(at(party, "PartyLegalEntity", "RegistrationName")),
    id: text(at(party, "PartyIdentification", "ID")),
    registration: text(at(party, "PartyLegalEntity", "CompanyID")),
    vatId: taxId("VAT"),
    taxNumber: taxId("FC"),
    endpoint: text(at(party, "EndpointID")),
    endpointScheme: at(party, "EndpointID", "@_schemeID"),
    ...addressOf(at(party, "PostalAddress")),
    contact: text(at(party, "Contact", "Name")),
    phone: text(at(party, "Contact", "Telephone")),
    email: text(at(party, "Contact", "ElectronicMail")),
  };
}
