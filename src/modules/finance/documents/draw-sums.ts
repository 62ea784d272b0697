import { decimalOf, placesOf } from "../../../core/money.ts";
import { drawCode } from "../../logbooks/pdf/draw-code.ts";
import type { Document } from "../../logbooks/pdf/open-document.ts";
import { ratesOf, reasonsOf } from "./draw-lines.ts";
import { type InvoiceDocument, outstanding } from "./invoice-document.ts";
import { type Block, colors, lineHeight, page, rule, wrapped, write } from "./page.ts";
import { paymentCode } from "./payment-code.ts";

const column = { width: 75, align: "right" } as const;
const [rateRight, netRight, vatRight] = [370, 458, page.right];
const codeSize = 105;

/** Returns the VAT of each rate and each reason of an exemption, the totals, and the reasons. */
export function sumBlocks(document: Document, invoice: InvoiceDocument): Block[] {
  const { currency, net_minor, vat_minor, gross_minor, paid_minor, kind } = invoice;
  const amount = (minor: number) => decimalOf(minor, placesOf(currency));
  const rateOf = ratesOf(invoice);
  const rows = invoice.vat.map((group) => [rateOf(group), amount(group.net_minor), amount(group.vat_minor)]);
  const totals: [string, number][] = [
    ["Total net", net_minor],
    ["VAT", vat_minor],
    [`Total, ${currency}`, gross_minor],
  ];
  if (paid_minor !== 0)
    totals.push(
      [kind === "invoice" ? "Paid and credited" : "Settled", -paid_minor],
      [`Outstanding, ${currency}`, outstanding(invoice)],
    );
  const sums: Block = {
    height: (rows.length + totals.length + 1) * (lineHeight + 2) + 24,
    draw(top) {
      let y = top + 8;
      document.fontSize(8.5);
      const row = ([first, second, third]: readonly string[]) => {
        for (const [text, right] of [
          [first, rateRight] as const,
          [second, netRight] as const,
          [third, vatRight] as const,
        ])
          write(document, [text ?? ""], { ...column, x: right - column.width, y });
        y += lineHeight + 2;
      };
      document.fillColor(colors.quiet);
      row(["VAT rate", "Net", "VAT"]);
      document.fillColor(colors.dark);
      for (const one of rows) row(one);
      rule(document, y, rateRight - column.width);
      y += 6;
      for (const [name, minor] of totals) {
        document.fontSize(name.includes(",") ? 10 : 8.5);
        write(document, [name], { x: rateRight - column.width, y, width: 150 });
        write(document, [amount(minor)], { ...column, x: vatRight - column.width, y });
        y += lineHeight + 2;
      }
    },
  };
  const reasons = reasonsOf(invoice).map((reason, at, { length }) => {
    const number = length > 1 ? `(${at + 1}) ` : "";
    return textBlocks(document, `${number}Exempt from VAT: ${reason}`);
  });
  return [sums, ...reasons.flat()];
}

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
  const { kind, seller, due_on, currency, number } = invoice;
  const open = outstanding(invoice);
  if (kind !== "invoice" || invoice.void || seller.iban === null || open <= 0) return [];
  const code = paymentCode(invoice);
  const terms = `Please pay ${decimalOf(open, placesOf(currency))} ${currency}${due_on === null ? "" : ` by ${due_on}`} to:`;
  const account: [string, string | null][] = [
    ["Account of", seller.legal_name],
    ["IBAN", seller.iban.replace(/(.{4})(?=.)/g, "$1 ")],
    ["BIC", seller.bic],
    ["Reference", number],
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
          const lines = wrapped(document, value, page.right - textLeft - 70, 2);
          document.fillColor(colors.quiet);
          write(document, [name], { x: textLeft, y: line, width: 70 });
          document.fillColor(colors.dark);
          write(document, lines, { x: textLeft + 70, y: line, width: 300 });
          line += lines.length * lineHeight;
        }
        document.fillColor(colors.quiet).fontSize(7.5);
        if (code !== undefined)
          write(document, ["Scan with a banking app to pay."], { x: textLeft, y: y + codeSize - 9, width: 300 });
      },
    },
  ];
}
