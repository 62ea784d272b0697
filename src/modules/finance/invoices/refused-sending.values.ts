import type { Reason } from "../../../core/reasons.ts";

/** Why a draft is not sent. */
export const refusedSending = [
  "invoice_not_sendable",
  "credit_exceeds_invoice",
  "vat_not_allowed",
  "seller_incomplete",
  "buyer_incomplete",
  "vat_category_mismatch",
  "exchange_rate_missing",
] as const satisfies readonly Reason[];
