/** Where an invoice is shown. */
export const addressOf = (id: string): string => `/app/money/invoices/${id}`;
