import { amountIn, dateIn, shortIn } from "../../../core/forms.ts";
import type { Language } from "../../../core/languages.ts";
import type { Document } from "../../../pdf/open-document.ts";
import { type Block, colors, lineHeight, rule, wrapped, write } from "../../../pdf/portrait-page.ts";
import { isTaxed } from "../finance.fields.ts";
import type { Vat } from "../finance.values.ts";
import { textsOf } from "../texts/texts.ts";
import { correctionOf } from "./corrections.ts";
import { reasonSentence, reasonsOf } from "./exemptions.ts";
import type { InvoiceDocument, InvoiceLine } from "./invoice-document.ts";

interface Column {
  x: number;
  width: number;
  align: "left" | "right";
}

const date: Column = { x: 50, width: 55, align: "left" };
const description: Column = { x: 110, width: 180, align: "left" };
const quantity: Column = { x: 292, width: 65, align: "right" };
const price: Column = { x: 360, width: 67, align: "right" };
const vat: Column = { x: 430, width: 56, align: "right" };
const net: Column = { x: 489, width: 56, align: "right" };

const headHeight = 20;

function tableHead(document: Document, invoice: InvoiceDocument): Block {
  return { height: headHeight, draw: (y) => drawTableHead(document, invoice, y) };
}

function drawTableHead(document: Document, { language, currency }: InvoiceDocument, y: number): void {
  const { table } = textsOf(language);
  document.fillColor(colors.quiet).fontSize(8.5);
  write(document, [table.date], { ...date, y });
  write(document, [table.description], { ...description, y });
  write(document, [table.quantity], { ...quantity, y });
  write(document, [table.price], { ...price, y });
  write(document, [table.vat], { ...vat, y });
  write(document, [`${table.net}, ${currency}`], { ...net, y });
  rule(document, y + headHeight - 5);
}

/** Returns a row of the table for each line. */
export function lineBlocks(document: Document, invoice: InvoiceDocument): Block[] {
  const { lines, currency, language } = invoice;
  const amount = (minor: number) => amountIn(language, minor, currency);
  const { anHour } = textsOf(language).table;
  const rateOf = ratesOf(invoice);
  const head = tableHead(document, invoice);
  document.fontSize(8.5);
  return lines.map((line) => {
    const named = wrapped(document, line.description, description.width, 8);
    const correction = correctionOf(invoice, line);
    const text = correction === null ? named : [...named, ...wrapped(document, correction, description.width, 3)];
    const rate = wrapped(document, rateOf(line), vat.width, 3);
    return {
      height: Math.max(1, text.length, rate.length) * lineHeight + 5,
      head,
      draw(y) {
        document.fillColor(colors.dark).fontSize(8.5);
        write(document, [dateIn(language, line.on)], { ...date, y });
        write(document, text, { ...description, y });
        write(document, [quantityOf(line, language)], { ...quantity, y });
        const per = line.price_per === 60 ? ` ${anHour}` : "";
        write(document, [`${amount(line.unit_price_minor)}${per}`], { ...price, y });
        write(document, rate, { ...vat, y });
        write(document, [amount(line.net_minor)], { ...net, y });
      },
    };
  });
}

function quantityOf({ quantity, unit }: InvoiceLine, language: Language): string {
  const [one, several] = textsOf(language).units[unit];
  return `${shortIn(language, quantity)} ${Math.abs(quantity) === 100 ? one : several}`;
}

/** Returns what names a rate of VAT: `19 %`, or `exempt`, with the number of the reason if there are several. */
export function ratesOf(invoice: Pick<InvoiceDocument, "vat" | "language">): (vat: Vat) => string {
  const reasons = reasonsOf(invoice);
  const { language } = invoice;
  const { untaxed } = textsOf(language).table;
  return (vat) => {
    if (isTaxed(vat.vat_category)) return `${shortIn(language, vat.vat_rate)} %`;
    const name = untaxed[vat.vat_category];
    const at = reasons.indexOf(reasonSentence(language, vat) ?? "");
    return reasons.length > 1 && at >= 0 ? `${name} (${at + 1})` : name;
  };
}
