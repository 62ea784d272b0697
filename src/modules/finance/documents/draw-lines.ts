import { decimalOf, placesOf } from "../../../core/money.ts";
import type { Document } from "../../logbooks/pdf/open-document.ts";
import { decimal, type Vat } from "../finance.fields.ts";
import type { InvoiceDocument, InvoiceLine } from "./invoice-document.ts";
import { type Block, colors, lineHeight, rule, wrapped, write } from "./page.ts";

interface Column {
  name: string;
  x: number;
  width: number;
  align: "left" | "right";
}

const date: Column = { name: "Date", x: 50, width: 55, align: "left" };
const description: Column = { name: "Description", x: 110, width: 185, align: "left" };
const quantity: Column = { name: "Quantity", x: 300, width: 65, align: "right" };
const price: Column = { name: "Unit price", x: 370, width: 65, align: "right" };
const vat: Column = { name: "VAT", x: 438, width: 47, align: "right" };
const net: Column = { name: "Net", x: 488, width: 57, align: "right" };

export const tableHead = 20;

export function drawTableHead(document: Document, y: number, currency: string): void {
  document.fillColor(colors.quiet).fontSize(8.5);
  for (const column of [date, description, quantity, price, vat]) write(document, [column.name], { ...column, y });
  write(document, [`Net, ${currency}`], { ...net, y });
  rule(document, y + tableHead - 5);
}

/** Returns a row of the table for each line. */
export function lineBlocks(document: Document, invoice: InvoiceDocument): Block[] {
  const { lines, currency } = invoice;
  const places = placesOf(currency);
  const rateOf = ratesOf(invoice);
  document.fontSize(8.5);
  return lines.map((line) => {
    const text = wrapped(document, line.description, description.width, 8);
    return {
      height: Math.max(1, text.length) * lineHeight + 5,
      isRow: true,
      draw(y) {
        document.fillColor(colors.dark).fontSize(8.5);
        write(document, [line.on], { ...date, y });
        write(document, text, { ...description, y });
        write(document, [quantityOf(line)], { ...quantity, y });
        const per = line.price_per === 60 ? " / h" : "";
        write(document, [`${decimalOf(line.unit_price_minor, places)}${per}`], { ...price, y });
        write(document, [rateOf(line)], { ...vat, y });
        write(document, [decimalOf(line.net_minor, places)], { ...net, y });
      },
    };
  });
}

const units = { minute: " min", landing: "", litre: " l", piece: "" } as const;

const quantityOf = ({ quantity, unit }: InvoiceLine): string =>
  `${decimal(quantity).replace(/\.?0+$/, "")}${units[unit]}`;

/** Returns why something of an invoice is exempt. */
export const reasonsOf = ({ vat }: Pick<InvoiceDocument, "vat">): string[] => [
  ...new Set(vat.flatMap(({ vat_reason }) => vat_reason ?? [])),
];

/** Returns what names a rate of VAT: `19 %`, or `exempt`, with the number of the reason if there are several. */
export function ratesOf(invoice: Pick<InvoiceDocument, "vat">): (vat: Vat) => string {
  const reasons = reasonsOf(invoice);
  return ({ vat_category, vat_rate, vat_reason }) => {
    if (vat_category !== "exempt") return `${decimal(vat_rate).replace(/\.?0+$/, "")} %`;
    return reasons.length > 1 && vat_reason !== null ? `exempt (${reasons.indexOf(vat_reason) + 1})` : "exempt";
  };
}
