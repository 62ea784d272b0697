/**
 * What an invoice must state of its seller and its buyer (§ 14 (4) UStG, Art. 226 of Directive 2006/112/EC). The rest is in each
 * line by the schema of its table: the day of supply, the description, the quantity, the net price, the category of VAT with its
 * rate or its reason (`vatIssues`), and number and date are given when it is sent. The number of a register is not required.
 */
import { hasPostcodes } from "../../../core/countries.ts";
import { conflict } from "../../../core/errors.ts";
import type { Buyer, InvoiceRow, Seller } from "../invoices.tables.ts";

interface Sale {
  row: Pick<InvoiceRow, "kind" | "credits_id" | "currency" | "gross_minor">;
  seller: Seller;
  buyer: Buyer;
}

/** @throws CONFLICT a field of the seller or the buyer is missing */
export function requireComplete({ row, seller, buyer }: Sale): void {
  const ofSeller = lacking("seller", seller);
  // § 14 (4) no. 2 UStG: one of the two. Art. 226 no. 3: a seller without a VAT ID has another number for VAT.
  if (seller.vat_id === null && seller.tax_number === null) ofSeller.push("seller.vat_id");
  if (ofSeller.length > 0)
    throw conflict(
      "seller_incomplete",
      `An invoice states the seller's address, and a VAT ID or a tax number: set them in the settings of the money. Missing: ${ofSeller.join(", ")}.`,
      { fields: ofSeller },
    );
  const ofBuyer = needsNoAddress(row, seller) ? [] : lacking("buyer", buyer);
  if (ofBuyer.length > 0)
    throw conflict(
      "buyer_incomplete",
      `An invoice states the buyer's address: set it for the customer or the person. Missing: ${ofBuyer.join(", ")}.`,
      { fields: ofBuyer },
    );
}

/** Returns the fields that a full address lacks (§ 14 (4) no. 1 UStG, Art. 226 no. 5). The name is always there. */
function lacking(party: "seller" | "buyer", address: Seller | Buyer): string[] {
  const { country } = address;
  const needed = ["street", ...(country === null || hasPostcodes(country) ? ["postcode"] : []), "city", "country"];
  const isMissing = new Set(Object.entries(address).flatMap(([field, value]) => (value === null ? [field] : [])));
  return needed.filter((field) => isMissing.has(field)).map((field) => `${party}.${field}`);
}

/** Gross, in cents: § 33 UStDV in Germany; elsewhere Art. 220a (1)(a), which Art. 238 lets a state raise. */
const SMALL = { DE: 250_00, elsewhere: 100_00 } as const;

/**
 * Small amounts need no buyer's address, and no more does what amends an invoice and names it (§ 31 (5) UStDV; Art. 219 and
 * 220a (1)(b)): the address is in that invoice.
 */
function needsNoAddress({ kind, credits_id, currency, gross_minor }: Sale["row"], { country }: Seller): boolean {
  if (kind === "credit_note" && credits_id !== null) return true;
  return currency === "EUR" && Math.abs(gross_minor) <= (country === "DE" ? SMALL.DE : SMALL.elsewhere);
}
