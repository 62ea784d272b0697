/**
 * What an invoice must state of its seller and its buyer (§ 14 (4) UStG, Art. 226 of Directive 2006/112/EC), also for the categories
 * of VAT on it (`BR-…`: EN 16931). The rest is in each line by the schema of its table: the day of supply, the description, the
 * quantity, the net price, the category of VAT with its rate or its reason (`vatIssues`), and number and date are given when it is
 * sent. The number of a register is not required.
 */
import { hasPostcodes, isMemberState } from "../../../core/countries.ts";
import { conflict } from "../../../core/errors.ts";
import { stateOfVatId, type VatState, vatStateOf } from "../../../core/vat-ids.ts";
import type { Vat } from "../finance.values.ts";
import type { Buyer, DeliverTo, InvoiceRow, Seller } from "../invoices.tables.ts";

export interface Sale {
  row: Pick<InvoiceRow, "kind" | "credits_id" | "currency" | "gross_minor"> & Categories;
  seller: Seller;
  buyer: Buyer;
  deliver_to: DeliverTo | null;
}

interface Categories {
  vat: readonly Pick<Vat, "vat_category">[];
}

/** @throws CONFLICT a field of the seller or the buyer is missing, or a category of VAT does not fit the rest */
export function requireComplete(sale: Sale): void {
  const ofSeller = [...lacking("seller", sale.seller), ...numberOfSeller(sale)];
  if (ofSeller.length > 0)
    throw conflict(
      "seller_incomplete",
      `An invoice states the seller's address, and a VAT ID or a tax number as its categories of VAT want: set them in the settings of the money. Missing: ${ofSeller.join(", ")}.`,
      { fields: ofSeller },
    );
  const ofBuyer = [...(needsNoAddress(sale) ? [] : lacking("buyer", sale.buyer)), ...numberOfBuyer(sale)];
  if (ofBuyer.length > 0)
    throw conflict(
      "buyer_incomplete",
      `An invoice states the buyer's address, and a VAT ID where its categories of VAT want one: set them for the customer or the person. Missing: ${ofBuyer.join(", ")}.`,
      { fields: ofBuyer },
    );
  requireFittingCategories(sale);
}

/** Returns the fields that a full address lacks (§ 14 (4) no. 1 UStG, Art. 226 no. 5). The name is always there. */
function lacking(party: "seller" | "buyer", address: Seller | Buyer): string[] {
  const { country } = address;
  const needed = ["street", ...(country === null || hasPostcodes(country) ? ["postcode"] : []), "city", "country"];
  const isMissing = new Set(Object.entries(address).flatMap(([field, value]) => (value === null ? [field] : [])));
  return needed.filter((field) => isMissing.has(field)).map((field) => `${party}.${field}`);
}

export const hasCategory = ({ vat }: Categories, ...categories: Vat["vat_category"][]): boolean =>
  vat.some(({ vat_category }) => categories.includes(vat_category));

/** Returns the number for VAT that the seller lacks. */
function numberOfSeller(sale: Sale): string[] {
  const { vat_id, tax_number } = sale.seller;
  // The VAT ID is left out (BR-O-02): § 14 (4) no. 2 UStG wants the other number, then.
  if (hasCategory(sale.row, "outside_scope")) return tax_number === null ? ["seller.tax_number"] : [];
  // BR-IC-02, BR-G-02; § 14a (1) and (3) UStG
  const needsVatId = hasCategory(sale.row, "intra_community", "export") || isReverseChargeAbroad(sale);
  // § 14 (4) no. 2 UStG: one of the two. Art. 226 no. 3: a seller without a VAT ID has another number for VAT.
  return vat_id === null && (needsVatId || tax_number === null) ? ["seller.vat_id"] : [];
}

/** Returns the number that the buyer lacks (Art. 226 no. 4). */
function numberOfBuyer(sale: Sale): string[] {
  const { vat_id, register_number } = sale.buyer;
  // BR-IC-02; § 14a (1) and (3) UStG
  const needsVatId = hasCategory(sale.row, "intra_community") || isReverseChargeAbroad(sale);
  // BR-AE-02
  const needsNumber = hasCategory(sale.row, "reverse_charge") && register_number === null;
  return vat_id === null && (needsVatId || needsNumber) ? ["buyer.vat_id"] : [];
}

/** Whether the buyer owes the VAT in another member state (Art. 196; § 14a (1) UStG), so that both report it by their VAT IDs. */
function isReverseChargeAbroad({ row, seller, buyer }: Sale): boolean {
  const states = [vatStateOf(seller), vatStateOf(buyer)];
  const [from, to] = states;
  return (
    hasCategory(row, "reverse_charge") && from !== to && states.every((state) => state !== null && isMemberState(state))
  );
}

/** Gross, in cents: § 33 UStDV in Germany; elsewhere Art. 220a (1)(a), which Art. 238 lets a state raise. */
const SMALL = { DE: 250_00, elsewhere: 100_00 } as const;

/**
 * Small amounts need no buyer's address, unless the buyer owes the VAT or goods go to another member state (§ 33 sentence 3 UStDV).
 * No more does what amends an invoice and names it (§ 31 (5) UStDV; Art. 219 and 220a (1)(b)): the address is in that invoice.
 */
function needsNoAddress({ row, seller }: Sale): boolean {
  const { kind, credits_id, currency, gross_minor } = row;
  if (kind === "credit_note" && credits_id !== null) return true;
  if (hasCategory(row, "reverse_charge", "intra_community")) return false;
  return currency === "EUR" && Math.abs(gross_minor) <= (seller.country === "DE" ? SMALL.DE : SMALL.elsewhere);
}

/** @throws CONFLICT */
function requireFittingCategories(sale: Sale): void {
  const { row } = sale;
  // BR-O-11, BR-O-12
  if (hasCategory(row, "outside_scope") && row.vat.some(({ vat_category }) => vat_category !== "outside_scope"))
    throw conflict(
      "vat_category_mismatch",
      "What is `outside_scope` is invoiced without anything else. Void the draft, and invoice its charges by `charge_ids` or a run.",
      { fields: ["lines"] },
    );
  // What is credited had these categories, wherever the buyer is by now.
  const isSold = row.kind === "invoice";
  if (hasCategory(row, "intra_community") && !(isSold ? isToOtherMemberState(sale) : sale.deliver_to !== null))
    throw conflict(
      "vat_category_mismatch",
      "Goods that are `intra_community` go to another member state. State it in `deliver_to`, or change the category.",
      { fields: ["deliver_to.country"] },
    );
  if (!isSold) return;
  if (hasCategory(row, "export") && !leavesTheUnion(sale))
    throw conflict(
      "vat_category_mismatch",
      "Goods that are an `export` go to a country outside the EU. State it in `deliver_to`, or change the category.",
      { fields: ["deliver_to.country"] },
    );
  if (!isIdentifiedAbroad(sale))
    throw conflict(
      "vat_category_mismatch",
      "The buyer's VAT ID is not of another member state than the seller's, as the category of VAT wants it. State it for the customer, or change the category.",
      { fields: ["buyer.vat_id"] },
    );
}

/** The member state from which goods go: that of the seller's VAT ID (Art. 226 no. 3), else of its address. */
const sellerState = ({ seller }: Sale): VatState | null =>
  (seller.vat_id === null ? null : stateOfVatId(seller.vat_id)) ?? vatStateOf(seller);

/** Art. 138 (1)(a); § 6a (1) no. 1 UStG */
function isToOtherMemberState(sale: Sale): boolean {
  const to = sale.deliver_to && vatStateOf(sale.deliver_to);
  return to !== null && to !== sellerState(sale);
}

/** Art. 146 (1)(a); § 6 (1) UStG: also a delivery to the buyer's address. A seller outside the EU exports by another law. */
function leavesTheUnion(sale: Sale): boolean {
  const place = sale.deliver_to ?? sale.buyer;
  if (sellerState(sale) === null) return true;
  return place.country !== null && vatStateOf(place) === null;
}

/**
 * Whether the buyer has a VAT ID of another member state than the seller's, where the VAT depends on it: of goods, Art. 138 (1)(b) and
 * § 6a (1) no. 4 UStG, with those of Northern Ireland; of services, Art. 44 and 196.
 */
function isIdentifiedAbroad(sale: Sale): boolean {
  const { row, seller, buyer } = sale;
  const state = buyer.vat_id === null ? null : stateOfVatId(buyer.vat_id);
  if (hasCategory(row, "intra_community") && (state === null || state === sellerState(sale))) return false;
  return !isReverseChargeAbroad(sale) || (state !== null && isMemberState(state) && state !== vatStateOf(seller));
}
