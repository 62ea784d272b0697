import { amountIn, dateIn, moneyIn, numberIn } from "../../../core/forms.ts";
import { groupsOfFour } from "../../../core/groups-of-four.ts";
import { drawCode } from "../../../pdf/draw-code.ts";
import type { Document } from "../../../pdf/open-document.ts";
import { type Block, colors, lineHeight, page, rule, wrapped, write } from "../../../pdf/portrait-page.ts";
import { isTaxed } from "../finance.fields.ts";
import { textsOf } from "../texts/texts.ts";
import { ratesOf } from "./draw-lines.ts";
import { reasonsOf } from "./exemptions.ts";
import { type InvoiceDocument, type NationalVat, outstanding } from "./invoice-document.ts";
import { paymentCode } from "./payment-code.ts";

/** The sums have the right half of the page. */
const sumsLeft = 300;
const codeSize = 105;
const accountLabel = 85;

/** Returns the net total, the VAT of each rate and each reason why there is none, the total, and the reasons. */
export function sumBlocks(document: Document, invoice: InvoiceDocument): Block[] {
  const { currency, language, net_minor, gross_minor, paid_minor, kind, national } = invoice;
  const { sums: texts } = textsOf(language);
  const amount = (minor: number) => amountIn(language, minor, currency);
  const rateOf = ratesOf(invoice);
  const rows: Row[] = [
    { name: texts.net, minor: net_minor },
    ...invoice.vat.map((group) => {
      const nameOf = isTaxed(group.vat_category) ? texts.vat : texts.untaxed;
      return { name: nameOf(rateOf(group), amount(group.net_minor)), minor: group.vat_minor };
    }),
    { name: `${texts.total}, ${currency}`, minor: gross_minor, isTotal: true },
  ];
  if (paid_minor !== 0)
    rows.push(
      { name: kind === "invoice" ? texts.paid : texts.settled, minor: -paid_minor },
      { name: `${texts.outstanding}, ${currency}`, minor: outstanding(invoice), isTotal: true },
    );
  if (national !== null) rows.push(nationalRow(invoice, national));
  const sums: Block = {
    height: 8 + rows.reduce((height, row) => height + heightOf(row), 0) + 14,
    draw(top) {
      let y = top + 8;
      for (const row of rows) {
        const { name, minor, isTotal } = row;
        if (isTotal) rule(document, y + 1, sumsLeft);
        document.fillColor(isTotal ? colors.dark : colors.quiet).fontSize(isTotal ? 10 : 8.5);
        const text = { y: y + (isTotal ? 6 : 0), width: page.right - sumsLeft };
        write(document, [name], { ...text, x: sumsLeft });
        document.fillColor(colors.dark);
        write(document, [amountIn(language, minor, row.currency ?? currency)], {
          ...text,
          x: sumsLeft,
          align: "right",
        });
        y += heightOf(row);
      }
    },
  };
  const reasons = reasonsOf(invoice).map((reason, at, { length }) => {
    const number = length > 1 ? `(${at + 1}) ` : "";
    return textBlocks(document, `${number}${reason}`);
  });
  return [sums, ...reasons.flat()];
}

interface Row {
  name: string;
  minor: number;
  isTotal?: boolean;
  /** If it is not that of the invoice. */
  currency?: string;
}

/** Art. 230 of Directive 2006/112/EC. It is no part of the sums above it. */
function nationalRow({ currency, language }: InvoiceDocument, { exchange_rate, ...national }: NationalVat): Row {
  const rate = exchange_rate && `1 ${currency} = ${numberIn(language, exchange_rate)} ${national.currency}`;
  const name = textsOf(language).sums.nationalVat(national.currency, rate);
  return { name, minor: national.vat_minor, currency: national.currency };
}

const heightOf = ({ isTotal }: Row): number => (isTotal ? 24 : lineHeight + 2);

/** Returns a block for each line of a text, so that it continues on the next page. */
export function textBlocks(document: Document, text: string): Block[] {
  document.fontSize(8.5);
  return wrapped(document, text, page.right - page.left, 220).map((line) => ({
    height: lineHeight,
    draw(y) {
      document.fillColor(colors.dark).fontSize(8.5);
      write(document, [line], { x: page.left, y, width: page.right - page.left });
    },
  }));
}

/** Returns how to pay: the bank account, and the code for banking apps. */
export function paymentBlocks(document: Document, invoice: InvoiceDocument): Block[] {
  const { kind, seller, due_on, currency, number, language } = invoice;
  const texts = textsOf(language).payment;
  const open = outstanding(invoice);
  if (kind !== "invoice" || invoice.void || seller.iban === null || open <= 0) return [];
  const code = paymentCode(invoice);
  const terms = texts.terms(moneyIn(language, open, currency), due_on === null ? undefined : dateIn(language, due_on));
  const account: [string, string | null][] = [
    [texts.holder, seller.legal_name],
    ["IBAN", groupsOfFour(seller.iban).join(" ")],
    ["BIC", seller.bic],
    [texts.reference, number],
  ];
  const textLeft = page.left + (code === undefined ? 0 : codeSize + 20);
  return [
    {
      height: code === undefined ? 100 : codeSize + 40,
      draw(top) {
        const y = top + 20;
        if (code !== undefined) drawCode(document, code, { x: page.left, y, size: codeSize });
        document.fillColor(colors.dark).fontSize(8.5);
        write(document, [terms], { x: textLeft, y, width: 300 });
        let line = y + 20;
        for (const [name, value] of account) {
          if (value === null) continue;
          const lines = wrapped(document, value, page.right - textLeft - accountLabel, 2);
          document.fillColor(colors.quiet);
          write(document, [name], { x: textLeft, y: line, width: accountLabel });
          document.fillColor(colors.dark);
          write(document, lines, { x: textLeft + accountLabel, y: line, width: 300 });
          line += lines.length * lineHeight;
        }
        document.fillColor(colors.quiet).fontSize(7.5);
        if (code !== undefined) write(document, [texts.scan], { x: textLeft, y: y + codeSize - 9, width: 300 });
      },
    },
  ];
}
