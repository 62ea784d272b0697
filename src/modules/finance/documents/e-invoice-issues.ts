import { placesOf } from "../../../core/currencies.ts";
import type { Issue } from "../../../core/errors.ts";
import { vatOn } from "../../../core/money.ts";
import { hasVatPrefix } from "../../../core/vat-ids.ts";
import { type InvoiceDocument, outstanding, type VatSubtotal, vatSubtotals } from "./invoice-document.ts";

/** `xrechnung`: XML (UBL). `factur-x`: PDF that contains XML (CII), also named ZUGFeRD. */
export const eInvoiceFormats = ["xrechnung", "factur-x"] as const;
export type EInvoiceFormat = (typeof eInvoiceFormats)[number];

type Party = "seller" | "buyer";

const places: Record<Party, string> = { seller: "the settings of the money", buyer: "the customer" };

/**
 * Returns what an invoice lacks for a format: rules of EN 16931 (BR-…), and of XRechnung (BR-DE-…). The paths are those of
 * `InvoiceDocument`.
 */
export function eInvoiceIssues(invoice: InvoiceDocument, format: EInvoiceFormat): Issue[] {
  const isXRechnung = format === "xrechnung";
  const { seller, buyer, kind, currency, lines } = invoice;
  const issues: Issue[] = [];
  const add = (path: string, code: Issue["code"], message: string) => void issues.push({ path, code, message });
  const requires = <P extends Party>(party: P, ...fields: (keyof InvoiceDocument[P] & string)[]) => {
    for (const field of fields)
      if (invoice[party][field] === null)
        add(`${party}.${field}`, "required", `An e-invoice needs it: set \`${field}\` in ${places[party]}.`);
  };

  if (invoice.void) add("void", "impossible", "A void invoice has no e-invoice.");
  if (lines.length === 0) add("lines", "required", "An e-invoice needs a line.");
  // BR-09, BR-11; BR-DE-3 to 9; PEPPOL-EN16931-R010 and R020: the electronic addresses are those of e-mail.
  requires("seller", "country");
  requires("buyer", "country");
  if (isXRechnung) {
    requires("seller", "postcode", "city", "email", "phone");
    requires("buyer", "postcode", "city", "email");
    // BR-DE-11. BR-DE-10: it always has a city.
    if (invoice.deliver_to?.postcode === null)
      add("deliver_to.postcode", "required", "An XRechnung needs the postcode to which goods are delivered.");
    // BR-DE-1, BR-DE-23: without an account it would not say how to pay.
    if (kind === "invoice") requires("seller", "iban");
    // BR-DE-27
    if (seller.phone !== null && seller.phone.replace(/\D/g, "").length < 3)
      add("seller.phone", "invalid", "Must have at least three digits.");
  }
  // BR-S-2, BR-Z-2, BR-E-2
  if (seller.vat_id === null && seller.tax_number === null)
    add("seller.vat_id", "required", `An e-invoice needs it: set \`vat_id\` or \`tax_number\` in ${places.seller}.`);
  // BR-CO-26: the tax number identifies nobody.
  else if (!isIdentified(seller)) requires("seller", "register_number");
  // BR-CO-9
  for (const [party, { vat_id }] of Object.entries({ seller, buyer }))
    if (vat_id !== null && !hasVatPrefix(vat_id))
      add(`${party}.vat_id`, "invalid", "Must begin with the two letters of its country, such as DE.");
  // BR-CO-25
  if (kind === "invoice" && invoice.due_on === null && outstanding(invoice) > 0)
    add("due_on", "required", "An e-invoice needs the day on which it is due.");
  // BR-DEC-*
  if (placesOf(currency) > 2) add("currency", "impossible", "Amounts of an e-invoice have at most two decimal places.");
  else if (notInTheList.includes(currency))
    // BR-CL-4
    add("currency", "impossible", `EN 16931 has no currency ${currency}.`);
  else if (vatSubtotals(invoice).some((subtotal) => isOff(subtotal, currency)))
    add("lines", "impossible", "Their VAT, which was rounded for each line, is 1.00 off that of their sum.");
  return issues;
}

/** Currencies that the library knows, but the code list of EN 16931 does not: most were replaced. */
const notInTheList = ["ANG", "BGN", "CUC", "STN", "ZWL"];

/** Whether an e-invoice identifies the seller: by a VAT ID, or the number of a register or of an authority. */
export const isIdentified = ({ vat_id, register_number, approval_number }: InvoiceDocument["seller"]): boolean =>
  (vat_id ?? register_number ?? approval_number) !== null;

/**
 * Whether the VAT is not that of the net amount (BR-CO-17, which rounds to two places and tolerates less than 1.00): so are
 * invoices that were sent when the VAT of each line was rounded.
 */
function isOff({ net_minor, vat_minor, vat_rate }: VatSubtotal, currency: string): boolean {
  const hundredths = 10 ** (2 - placesOf(currency));
  return Math.abs(vatOn(net_minor * hundredths, vat_rate) - vat_minor * hundredths) >= 100;
}
