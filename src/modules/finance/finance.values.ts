/** Of UNTDID 5305, in this order: S, Z, E, AE, K, G, O. */
export const vatCategories = [
  "standard",
  "zero",
  "exempt",
  "reverse_charge",
  "intra_community",
  "export",
  "outside_scope",
] as const;

export interface Vat {
  vat_category: (typeof vatCategories)[number];
  vat_rate: number;
  vat_reason: string | null;
  vat_reason_code: string | null;
}

export const paymentMethods = ["bank_transfer", "direct_debit", "card", "cash", "other"] as const;
