import type { Buyer, DeliverTo, InvoiceRow, Seller } from "../invoices.tables.ts";
import { hasCategory, requireComplete, type Sale } from "./complete.ts";

type Parties = Pick<Sale, "seller" | "buyer" | "deliver_to">;

/** Returns seller and buyer as the invoice states them, and where its goods go. @throws CONFLICT as of `requireComplete` */
export function partiesOf(
  row: Sale["row"] & Pick<InvoiceRow, "deliver_to">,
  { seller, buyer }: { seller: Seller; buyer: Buyer },
): Parties {
  const deliver_to = row.deliver_to ?? (hasCategory(row, "intra_community") ? placeOf(buyer) : null);
  requireComplete({ row, seller, buyer, deliver_to });
  if (!hasCategory(row, "outside_scope")) return { seller, buyer, deliver_to };
  // BR-O-02
  return { seller: { ...seller, vat_id: null }, buyer: { ...buyer, vat_id: null }, deliver_to };
}

/** Goods that go to another member state go to the buyer's address, unless another one is stated: a place is there (BR-IC-12). */
const placeOf = ({ street, postcode, city, country }: Buyer): DeliverTo | null =>
  city === null || country === null ? null : { street, postcode, city, country };
