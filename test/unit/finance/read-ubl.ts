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

/** Reads an invoice or a credit note in UBL 2.1. */
export function readUbl(xml: string): ReadInvoice {
  const file = parse(xml);
  const kind = file.Invoice ? "Invoice" : "CreditNote";
  const root = file[kind];
  const means = root.PaymentMeans;
  const currencies = textsAt(root, { currency: "DocumentCurrencyCode", taxCurrency: "TaxCurrencyCode" });
  const taxes = each(root.TaxTotal);
  const place = at(root, "Delivery", "DeliveryLocation", "Address");
  return {
    ...textsAt(root, {
      specification: "CustomizationID",
      type: `${kind}TypeCode`,
      number: "ID",
      issued: "IssueDate",
      due: "DueDate",
      reference: "BuyerReference",
      notes: "Note",
      delivered: "Delivery.ActualDeliveryDate",
      terms: "PaymentTerms.Note",
    }),
    ...currencies,
    credits: each(root.BillingReference).map((one) => text(at(one, "InvoiceDocumentReference", "ID"))),
    creditedDays: each(root.BillingReference).map((one) => text(at(one, "InvoiceDocumentReference", "IssueDate"))),
    period: textsAt(root, period),
    deliveredTo: place && textsAt(place, address),
    paymentCode: means && (text(means.PaymentMeansCode) ?? ""),
    account: at(means, "PayeeFinancialAccount") && (text(means.PayeeFinancialAccount.ID) ?? ""),
    seller: partyOf(at(root, "AccountingSupplierParty", "Party")),
    buyer: partyOf(at(root, "AccountingCustomerParty", "Party")),
    lines: (root[`${kind}Line`] ?? []).map((line: Element) => {
      const quantity = kind === "Invoice" ? "InvoicedQuantity" : "CreditedQuantity";
      const { base, ...numbers } = hundredthsAt(line, {
        quantity,
        price: "Price.PriceAmount",
        base: "Price.BaseQuantity",
        net: "LineExtensionAmount",
      });
      return {
        ...textsAt(line, { id: "ID", name: "Item.Name", note: "Note", unit: `${quantity}.@_unitCode` }),
        ...{ period: textsAt(line, period), ...numbers, base: base ?? 100n },
        ...vatAt(at(line, "Item", "ClassifiedTaxCategory"), vat),
      };
    }),
    subtotals: taxes
      .flatMap((tax) => at(tax, "TaxSubtotal") ?? [])
      .map((subtotal: Element) => ({
        ...vatAt(subtotal.TaxCategory, vat),
        ...textsAt(subtotal.TaxCategory, { reason: "TaxExemptionReason", reasonCode: "TaxExemptionReasonCode" }),
        ...hundredthsAt(subtotal, { net: "TaxableAmount", vat: "TaxAmount" }),
      })),
    totals: {
      ...vatTotals(
        taxes.map((tax) => at(tax, "TaxAmount")),
        currencies,
      ),
      ...hundredthsAt(root, {
        lines: "LegalMonetaryTotal.LineExtensionAmount",
        net: "LegalMonetaryTotal.TaxExclusiveAmount",
        gross: "LegalMonetaryTotal.TaxInclusiveAmount",
        prepaid: "LegalMonetaryTotal.PrepaidAmount",
        due: "LegalMonetaryTotal.PayableAmount",
      }),
    },
    amounts: amountsIn(root),
  };
}

const period = { start: "InvoicePeriod.StartDate", end: "InvoicePeriod.EndDate" };
const vat = { scheme: "TaxScheme.ID", category: "ID", rate: "Percent" };
const address = {
  street: "StreetName",
  postcode: "PostalZone",
  city: "CityName",
  country: "Country.IdentificationCode",
};

function partyOf(party: Element): ReadParty {
  const taxId = (scheme: string) =>
    text(
      at(
        party?.PartyTaxScheme?.find((one: Element) => at(one, "TaxScheme", "ID") === scheme),
        "CompanyID",
      ),
    );
  return {
    ...textsAt(party, {
      name: "PartyLegalEntity.RegistrationName",
      id: "PartyIdentification.ID",
      registration: "PartyLegalEntity.CompanyID",
      endpoint: "EndpointID",
      endpointScheme: "EndpointID.@_schemeID",
      contact: "Contact.Name",
      phone: "Contact.Telephone",
      email: "Contact.ElectronicMail",
    }),
    ...{ vatId: taxId("VAT"), taxNumber: taxId("FC") },
    ...textsAt(at(party, "PostalAddress"), address),
  };
}
