import type { LegalDate } from "../../../core/dates.ts";
import { countryIn, dateIn } from "../../../core/forms.ts";
import type { Document } from "../../../pdf/open-document.ts";
import { colors, lineHeight, page, rule, wrapped, write } from "../../../pdf/portrait-page.ts";
import { textsOf } from "../texts/texts.ts";
import { nameOf, verbOf } from "./corrections.ts";
import type { InvoiceDocument } from "./invoice-document.ts";

export const titleOf = ({ kind, language }: InvoiceDocument): string => textsOf(language).titles[kind];

/** Where the facts begin, beside the buyer. */
const factsLeft = 310;
const factLabel = 92;

/** Draws seller, buyer and the facts on the first page. @returns where they end */
export function drawHead(document: Document, invoice: InvoiceDocument): number {
  const { seller, buyer, language } = invoice;
  const texts = textsOf(language).document;
  const width = factsLeft - page.left - 20;
  const fitted = (texts: readonly (string | null)[], most: number) =>
    texts.flatMap((text) => (text === null ? [] : wrapped(document, text, width, most)));

  document.fillColor(colors.dark).fontSize(13);
  const name = wrapped(document, seller.legal_name, page.right - page.left, 2);
  for (const [index, line] of name.entries())
    write(document, [line], { x: page.left, y: page.top + index * 16, width });
  let y = page.top + name.length * 16 + 2;
  document.fillColor(colors.quiet).fontSize(8.5);
  const contact = [addressOf(invoice, seller).join(", "), [seller.phone, seller.email].filter(Boolean).join(" · ")];
  const below = contact.flatMap((text) => wrapped(document, text, page.right - page.left, 2));
  write(document, below, { x: page.left, y, width });
  y += below.length * lineHeight + 30;

  document.fontSize(7.5);
  write(document, [texts.buyer], { x: page.left, y, width });
  y += lineHeight;
  document.fillColor(colors.dark).fontSize(9.5);
  const named = buyer.company === null ? [buyer.name] : [buyer.company, buyer.name];
  const numbers = [
    buyer.vat_id && `${texts.vatId} ${buyer.vat_id}`,
    buyer.register_number && `${texts.register} ${buyer.register_number}`,
  ];
  const receiver = fitted([...named, ...addressOf(invoice, buyer), ...numbers], 3);
  write(document, receiver, { x: page.left, y, width });
  const end = Math.max(y + receiver.length * lineHeight, drawFacts(document, invoice, y)) + 24;

  document.fillColor(colors.dark).fontSize(17);
  write(document, [`${titleOf(invoice)} ${invoice.number}`], { x: page.left, y: end, width });
  document.fontSize(8.5);
  return end + 34;
}

/** Beside the buyer is room for few of the documents that it refers to. */
const MOST_NAMED = 3;

const namesOf = (invoice: InvoiceDocument): string | null =>
  invoice.preceding.map((one) => nameOf(invoice, one)).join("\n") || null;

/** Returns the names of the documents that it refers to, if these are too many for its head. */
export const precedingText = (invoice: InvoiceDocument): string | null =>
  invoice.preceding.length > MOST_NAMED ? `${verbOf(invoice)}:\n${namesOf(invoice)}` : null;

/** @returns where they end */
function drawFacts(document: Document, invoice: InvoiceDocument, top: number): number {
  const { kind, issued_on, due_on, seller, buyer, deliver_to, language } = invoice;
  const texts = textsOf(language).document;
  const date = (day: LegalDate | null) => day && dateIn(language, day);
  const named = invoice.preceding.length > MOST_NAMED ? undefined : namesOf(invoice);
  const facts: (readonly [string, string | null])[] = [
    [texts.numbers[kind], invoice.number],
    [texts.dates[kind], date(issued_on)],
    supplied(invoice),
    [texts.deliveredTo, deliver_to && addressOf(invoice, deliver_to).join(", ")],
    [texts.due, date(due_on)],
    [verbOf(invoice), named === undefined ? texts.precedingBelow(invoice.preceding.length) : named],
    [texts.customerNumber, buyer.customer_number],
    [texts.reference, buyer.buyer_reference],
    [texts.ourVatId, seller.vat_id],
    [texts.ourTaxNumber, seller.tax_number],
    [texts.register, seller.register_number],
  ];
  let y = top;
  document.fontSize(8.5);
  for (const [name, value] of facts) {
    if (value === null) continue;
    const x = factsLeft + factLabel;
    const lines = wrapped(document, value, page.right - x, 3);
    document.fillColor(colors.quiet);
    write(document, [name], { x: factsLeft, y, width: factLabel });
    document.fillColor(colors.dark);
    write(document, lines, { x, y, width: page.right - x });
    y += lines.length * lineHeight;
  }
  return y;
}

/** Returns when what it bills was supplied: a day, or the first and the last one (§ 14 (4) no. 6 UStG). Each line has its own. */
function supplied({ lines, language }: InvoiceDocument): [string, string | null] {
  const { suppliedOn, suppliedIn } = textsOf(language).document;
  const days = lines.map(({ on }) => on).sort();
  const [first, last] = [days[0], days.at(-1)].map((day) => day && dateIn(language, day));
  return first === last ? [suppliedOn, first ?? null] : [suppliedIn, `${first} – ${last}`];
}

/** Draws what is at the end of each page. */
export function drawFoot(document: Document, invoice: InvoiceDocument, number: string): void {
  const { seller } = invoice;
  const width = page.right - page.left;
  rule(document, page.foot - 6);
  document.fillColor(colors.quiet).fontSize(7.5);
  const numbered = `${invoice.number} · ${number}`;
  write(document, [numbered], { x: page.left, y: page.foot, width, align: "right" });
  const room = width - document.widthOfString(numbered) - 20;
  const parts = [seller.legal_name, ...addressOf(invoice, seller)];
  // Whole parts, as many as fit.
  while (parts.length > 1 && document.widthOfString(parts.join(" · ")) > room) parts.pop();
  write(document, wrapped(document, parts.join(" · "), room, 1), { x: page.left, y: page.foot, width });
}

/** The most points of the diagonal that the mark takes. */
const markLength = 700;

/** Draws a mark across the page. */
export function drawVoid(document: Document, { language }: InvoiceDocument): void {
  const text = textsOf(language).document.void;
  document.save().rotate(-45, { origin: [297, 421] });
  document.fillColor(colors.warning, 0.15).fontSize(150);
  document.fontSize(Math.min(150, (150 * markLength) / document.widthOfString(text)));
  document.text(text, 297 - document.widthOfString(text) / 2, 345, { lineBreak: false });
  document.restore().fillOpacity(1);
}

type Address = Pick<InvoiceDocument["seller"], "street" | "postcode" | "city" | "country">;

function addressOf({ language }: InvoiceDocument, { street, postcode, city, country }: Address): string[] {
  const place = [postcode, city].filter(Boolean).join(" ");
  return [street, place, country && countryIn(language, country)].filter(
    (line): line is string => line !== null && line !== "",
  );
}
