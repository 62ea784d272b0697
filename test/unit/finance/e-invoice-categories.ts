/** The rules of EN 16931 that it has for each category of VAT (section 6.4.4 to 6.4.13). */
import type { ReadInvoice } from "./read-e-invoice.ts";

/** By their numbers: whether an invoice meets them. */
export type Rules = Record<string, (invoice: ReadInvoice) => boolean>;

interface Category {
  /** In the rules' numbers. */
  prefix: string;
  code: string;
  /** which numbers the parties must have, or must not. */
  parties(invoice: ReadInvoice): boolean;
  /** */
  rate(rate: bigint | undefined): boolean;
  /** */
  hasReason: boolean;
}

const sellerIsKnown = ({ seller }: ReadInvoice) => (seller.vatId ?? seller.taxNumber) !== undefined;
const sellerHasVatId = ({ seller }: ReadInvoice) => seller.vatId !== undefined;
const isZero = (rate: bigint | undefined) => rate === 0n;

const categories: Category[] = [
  { prefix: "S", code: "S", parties: sellerIsKnown, rate: (rate = 0n) => rate > 0n, hasReason: false },
  { prefix: "Z", code: "Z", parties: sellerIsKnown, rate: isZero, hasReason: false },
  { prefix: "E", code: "E", parties: sellerIsKnown, rate: isZero, hasReason: true },
  {
    ...{ prefix: "AE", code: "AE", rate: isZero, hasReason: true },
    parties: (invoice) => sellerIsKnown(invoice) && (invoice.buyer.vatId ?? invoice.buyer.registration) !== undefined,
  },
  {
    ...{ prefix: "IC", code: "K", rate: isZero, hasReason: true },
    parties: (invoice) => sellerHasVatId(invoice) && invoice.buyer.vatId !== undefined,
  },
  { prefix: "G", code: "G", parties: sellerHasVatId, rate: isZero, hasReason: true },
  {
    ...{ prefix: "O", code: "O", hasReason: true },
    parties: ({ seller, buyer }) => seller.vatId === undefined && buyer.vatId === undefined,
    rate: (rate) => rate === undefined,
  },
];

const sum = (amounts: readonly (bigint | undefined)[]) => amounts.reduce<bigint>((all, one) => all + (one ?? 0n), 0n);

function rulesOf({ prefix, code, parties, rate, hasReason }: Category): Rules {
  const linesOf = ({ lines }: ReadInvoice) => lines.filter(({ category }) => category === code);
  const subtotalsOf = ({ subtotals }: ReadInvoice) => subtotals.filter(({ category }) => category === code);
  /** Only rates other than 0 are several. */
  const ratesOf = (invoice: ReadInvoice) => new Set(linesOf(invoice).map((line) => (code === "S" ? line.rate : 0n)));
  return {
    [`BR-${prefix}-01`]: (invoice) => ratesOf(invoice).size === subtotalsOf(invoice).length,
    [`BR-${prefix}-02`]: (invoice) => linesOf(invoice).length === 0 || parties(invoice),
    [`BR-${prefix}-05`]: (invoice) => linesOf(invoice).every((line) => rate(line.rate)),
    [`BR-${prefix}-08`]: (invoice) =>
      subtotalsOf(invoice).every((subtotal) => {
        const same = linesOf(invoice).filter((line) => code !== "S" || line.rate === subtotal.rate);
        return subtotal.net === sum(same.map(({ net }) => net));
      }),
    // That of S computes.
    ...(code !== "S" && {
      [`BR-${prefix}-09`]: (invoice: ReadInvoice) => subtotalsOf(invoice).every(({ vat }) => (vat ?? 0n) === 0n),
    }),
    [`BR-${prefix}-10`]: (invoice) =>
      subtotalsOf(invoice).every(({ reason, reasonCode }) => ((reason ?? reasonCode) !== undefined) === hasReason),
  };
}

const has = (code: string, { subtotals }: ReadInvoice) => subtotals.some(({ category }) => category === code);

export const categoryRules: Rules = {
  ...Object.assign({}, ...categories.map(rulesOf)),
  "BR-IC-11": (invoice) => !has("K", invoice) || (invoice.delivered ?? invoice.period.end) !== undefined,
  "BR-IC-12": (invoice) => !has("K", invoice) || invoice.deliveredTo?.country !== undefined,
  "BR-O-11": (invoice) => !has("O", invoice) || invoice.subtotals.every(({ category }) => category === "O"),
  "BR-O-12": (invoice) => !has("O", invoice) || invoice.lines.every(({ category }) => category === "O"),
};
