/** An invoice in the terms of EN 16931, as `@e-invoice-eu/core` takes them: elements of UBL with amounts as text. */
import type { Invoice } from "@e-invoice-eu/core";
import { placesOf } from "../../../core/currencies.ts";
import { decimalOf } from "../../../core/money.ts";
import { plainVatId } from "../../../core/vat-ids.ts";
import { decimal } from "../finance.fields.ts";
import { textsOf } from "../texts/texts.ts";
import { correctionOf } from "./corrections.ts";
import type { EInvoiceFormat } from "./e-invoice-issues.ts";
import { aloneReason } from "./exemptions.ts";
import {
  type InvoiceDocument,
  type InvoiceLine,
  isCredit,
  outstanding,
  type VatSubtotal,
  vatSubtotals,
} from "./invoice-document.ts";

type Content = Invoice["ubl:Invoice"];
type Currency = Content["cbc:DocumentCurrencyCode"];

/** EN 16931 has no place for an unknown buyer's reference, but XRechnung requires one (BR-DE-15). */
const noReference = "n/a";

/** Codes of UN/ECE recommendation 20. */
const units = { minute: "MIN", litre: "LTR", landing: "C62", piece: "C62" } as const;
/** Codes of UNTDID 5305. */
const categories = {
  standard: "S",
  zero: "Z",
  exempt: "E",
  reverse_charge: "AE",
  intra_community: "K",
  export: "G",
  outside_scope: "O",
} as const;
const vatScheme = { "cac:TaxScheme": { "cbc:ID": "VAT" } };

export function eInvoiceData(invoice: InvoiceDocument, format: EInvoiceFormat): Invoice {
  const { lines, preceding, note, number, buyer, national } = invoice;
  const amount = amountsOf(invoice);
  const days = lines.map(({ on }) => on).sort();
  const [first = invoice.issued_on, last = first] = [days[0], days.at(-1)];
  const reference = buyer.buyer_reference ?? (format === "xrechnung" ? noReference : undefined);
  const content = {
    "cbc:ID": xmlText(number),
    "cbc:IssueDate": invoice.issued_on,
    ...(invoice.due_on !== null && { "cbc:DueDate": invoice.due_on }),
    "cbc:InvoiceTypeCode": typeOf(invoice),
    ...(note !== null && { "cbc:Note": [xmlText(note)] }),
    "cbc:DocumentCurrencyCode": invoice.currency as Currency,
    // BT-6 and BT-111 (BR-53)
    ...(national !== null && { "cbc:TaxCurrencyCode": national.currency as Currency }),
    ...(reference !== undefined && { "cbc:BuyerReference": xmlText(reference) }),
    "cac:InvoicePeriod": { "cbc:StartDate": first, "cbc:EndDate": last },
    ...(preceding.length > 0 && {
      "cac:BillingReference": preceding.map((one) => ({
        "cac:InvoiceDocumentReference": { "cbc:ID": xmlText(one.number), "cbc:IssueDate": one.issued_on },
      })),
    }),
    "cac:AccountingSupplierParty": { "cac:Party": sellerOf(invoice) },
    "cac:AccountingCustomerParty": { "cac:Party": buyerOf(invoice) },
    // The last day, which CII requires an element for. The lines have their own.
    "cac:Delivery": { "cbc:ActualDeliveryDate": last, ...deliveryOf(invoice) },
    ...paymentOf(invoice),
    "cac:TaxTotal": [
      {
        ...amount("TaxAmount", invoice.vat_minor),
        "cac:TaxSubtotal": vatSubtotals(invoice).map((subtotal) => ({
          ...amount("TaxableAmount", subtotal.net_minor),
          ...amount("TaxAmount", subtotal.vat_minor),
          "cac:TaxCategory": categoryOf(subtotal),
        })),
      },
      ...(national === null ? [] : [amountsOf(invoice, national.currency)("TaxAmount", national.vat_minor)]),
    ],
    "cac:LegalMonetaryTotal": {
      ...amount("LineExtensionAmount", invoice.net_minor),
      ...amount("TaxExclusiveAmount", invoice.net_minor),
      ...amount("TaxInclusiveAmount", invoice.gross_minor),
      ...(invoice.paid_minor !== 0 && amount("PrepaidAmount", invoice.paid_minor)),
      ...amount("PayableAmount", outstanding(invoice)),
    },
    "cac:InvoiceLine": lines.map((line, index) => lineOf(line, String(index + 1), { invoice, amount })),
  };
  // The library checks it against its schema, which has more rules than its types.
  return { "ubl:Invoice": content as unknown as Content };
}

/** Here, what is not subject to VAT has the rate 0 (BR-DE-14), unlike in its lines. */
const categoryOf = ({ vat_category, vat_rate, reasons, reason_code }: VatSubtotal) => ({
  "cbc:ID": categories[vat_category],
  "cbc:Percent": decimal(vat_rate),
  ...(reason_code !== null && { "cbc:TaxExemptionReasonCode": reason_code }),
  ...(reasons.length > 0 && { "cbc:TaxExemptionReason": xmlText(reasons.join("; ")) }),
  ...vatScheme,
});

/** BG-15 */
const deliveryOf = ({ deliver_to }: InvoiceDocument) =>
  deliver_to !== null && { "cac:DeliveryLocation": { "cac:Address": postalOf(deliver_to) } };

/** Of UNTDID 1001: 380 invoice, 381 credit note, 384 corrected invoice, which cancels a credit note. */
const typeOf = (invoice: InvoiceDocument) =>
  isCredit(invoice) ? "381" : invoice.kind === "cancellation" ? "384" : "380";

type Amounts = ReturnType<typeof amountsOf>;

/** Writes amounts. Those of a credit note are positive. */
function amountsOf(invoice: InvoiceDocument, currency: string = invoice.currency) {
  const places = placesOf(currency);
  const sign = isCredit(invoice) ? -1 : 1;
  return <Name extends string>(name: Name, minor: number) =>
    ({
      [`cbc:${name}`]: decimalOf(sign * minor, places),
      [`cbc:${name}@currencyID`]: currency,
    }) as Record<`cbc:${Name}` | `cbc:${Name}@currencyID`, string>;
}

function lineOf(line: InvoiceLine, id: string, { invoice, amount }: { invoice: InvoiceDocument; amount: Amounts }) {
  const credits = isCredit(invoice);
  const { unit_price_minor, price_per, unit, on } = line;
  // A price must not be negative (BR-27): the quantity is, instead.
  const isNegative = unit_price_minor < 0 !== credits;
  // BT-127: exempt lines have one subtotal, with all their reasons (BR-E-01), so each says its own. BG-3 is of the document, so
  // each line says what it corrects.
  const notes = [aloneReason(invoice.language, line), correctionOf(invoice, line)].filter((note) => note !== null);
  return {
    "cbc:ID": id,
    ...(notes.length > 0 && { "cbc:Note": xmlText(notes.join("; ")) }),
    "cbc:InvoicedQuantity": decimal(isNegative ? -line.quantity : line.quantity),
    "cbc:InvoicedQuantity@unitCode": units[unit],
    ...amount("LineExtensionAmount", line.net_minor),
    "cac:InvoicePeriod": { "cbc:StartDate": on, "cbc:EndDate": on },
    "cac:Item": {
      "cbc:Name": xmlText(line.description),
      "cac:ClassifiedTaxCategory": {
        "cbc:ID": categories[line.vat_category],
        // BR-O-05
        ...(line.vat_category !== "outside_scope" && { "cbc:Percent": decimal(line.vat_rate) }),
        ...vatScheme,
      },
    },
    "cac:Price": {
      ...amount("PriceAmount", credits ? -Math.abs(unit_price_minor) : Math.abs(unit_price_minor)),
      ...(price_per !== 1 && { "cbc:BaseQuantity": String(price_per), "cbc:BaseQuantity@unitCode": units[unit] }),
    },
  };
}

type Address = Pick<InvoiceDocument["seller"], "street" | "postcode" | "city" | "country">;

const postalOf = ({ street, postcode, city, country }: Address) => ({
  ...(street !== null && { "cbc:StreetName": xmlText(street) }),
  ...(city !== null && { "cbc:CityName": xmlText(city) }),
  ...(postcode !== null && { "cbc:PostalZone": xmlText(postcode) }),
  "cac:Country": { "cbc:IdentificationCode": country ?? "" },
});

const addressOf = (address: Address) => ({ "cac:PostalAddress": postalOf(address) });

const endpointOf = (email: string | null) =>
  email !== null && { "cbc:EndpointID": email, "cbc:EndpointID@schemeID": "EM" };

const taxIdOf = (id: string, scheme: string) => ({
  "cbc:CompanyID": xmlText(id),
  "cac:TaxScheme": { "cbc:ID": scheme },
});

const vatIdOf = (id: string) => taxIdOf(plainVatId(id), "VAT");

function sellerOf({ seller }: InvoiceDocument) {
  const { legal_name, email, phone, vat_id, tax_number } = seller;
  // BT-30, whoever registered the seller. The library writes no BT-29 in CII.
  const registration = seller.register_number ?? seller.approval_number;
  return {
    ...endpointOf(email),
    ...addressOf(seller),
    // `FC`, as UNTDID 1153 names the number of a tax office.
    "cac:PartyTaxScheme": [
      ...(vat_id === null ? [] : [vatIdOf(vat_id)]),
      ...(tax_number === null ? [] : [taxIdOf(tax_number, "FC")]),
    ],
    "cac:PartyLegalEntity": {
      "cbc:RegistrationName": xmlText(legal_name),
      ...(registration !== null && { "cbc:CompanyID": xmlText(registration) }),
    },
    "cac:Contact": {
      "cbc:Name": xmlText(legal_name),
      ...(phone !== null && { "cbc:Telephone": xmlText(phone) }),
      ...(email !== null && { "cbc:ElectronicMail": email }),
    },
  };
}

function buyerOf({ buyer }: InvoiceDocument) {
  const { name, company, email, vat_id, register_number, customer_number } = buyer;
  return {
    ...endpointOf(email),
    // BT-46
    ...(customer_number !== null && { "cac:PartyIdentification": { "cbc:ID": xmlText(customer_number) } }),
    ...addressOf(buyer),
    ...(vat_id !== null && { "cac:PartyTaxScheme": vatIdOf(vat_id) }),
    "cac:PartyLegalEntity": {
      "cbc:RegistrationName": xmlText(company ?? name),
      ...(register_number !== null && { "cbc:CompanyID": xmlText(register_number) }),
    },
    ...(company !== null && { "cac:Contact": { "cbc:Name": xmlText(name) } }),
  };
}

/** How to pay, by codes of UNTDID 4461: 58 SEPA transfer, 30 transfer, 1 not defined. */
function paymentOf({ kind, language, currency, number, preceding, seller }: InvoiceDocument) {
  const { iban, bic, legal_name } = seller;
  if (kind !== "invoice") {
    const numbers = preceding.map((one) => xmlText(one.number)).join(", ");
    const { cancels, credits } = textsOf(language).payment;
    const terms = kind === "cancellation" ? cancels(numbers) : credits(numbers);
    return {
      "cac:PaymentMeans": [{ "cbc:PaymentMeansCode": "1" }],
      "cac:PaymentTerms": { "cbc:Note": terms },
    };
  }
  return (
    iban !== null && {
      "cac:PaymentMeans": [
        {
          "cbc:PaymentMeansCode": currency === "EUR" ? "58" : "30",
          "cbc:PaymentID": xmlText(number),
          "cac:PayeeFinancialAccount": {
            "cbc:ID": iban,
            "cbc:Name": xmlText(legal_name),
            ...(bic !== null && { "cac:FinancialInstitutionBranch": { "cbc:ID": bic } }),
          },
        },
      ],
    }
  );
}

/**
 * Replaces what XML 1.0 can't contain. The library decodes text that looks like an entity once, and then leaves it as it is:
 * its `&` is escaped for both.
 */
const xmlText = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/&(?=#?\w+;)/g, "&amp;amp;");
