/**
 * The routes that were not implemented when this list was made. It is frozen: remove a row when its route is implemented, and
 * never add one.
 */
export const comingAtFirst: readonly string[] = [
  "GET /admin/addon-listings",
  "GET /admin/addon-listings/{listingId}",
  "GET /api/v1/public/finance-summaries",
  "GET /api/v1/public/invoices",
  "GET /api/v1/public/invoices/{invoiceId}",
  "GET /api/v1/public/vtr",
  "GET /api/v1/public/vtr/{vtrId}",
  "GET /applications",
  "GET /applications/{applicationId}",
  "PATCH /admin/directory/{type}/{id}",
  "PATCH /applications/{applicationId}/status",
  "POST /admin/addon-listings/{listingId}/approve",
  "POST /admin/addon-listings/{listingId}/reject",
];
