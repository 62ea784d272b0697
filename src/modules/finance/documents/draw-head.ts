import type { Document } from "../../logbooks/pdf/open-document.ts";
import type { InvoiceDocument } from "./invoice-document.ts";
import { colors, lineHeight, page, rule, wrapped, write } from "./page.ts";

const titles = { invoice: "Invoice", credit_note: "Credit note", cancellation: "Cancellation" } as const;

export const titleOf = ({ kind }: InvoiceDocument): string => titles[kind];

/** Where the facts begin, beside the buyer. */
const factsLeft = 330;
const factLabel = 85;

/** Draws seller, buyer and the facts on the first page. @returns where they end */
export function drawHead(document: Document, invoice: InvoiceDocument): number {
  const { seller, buyer } = invoice;
  const width = factsLeft - page.left - 20;
  const fitted = (texts: readonly (string | null)[], most: number) =>
    texts.flatMap((text) => (text === null ? [] : wrapped(document, text, width, most)));

  document.fillColor(colors.dark).fontSize(13);
  const name = wrapped(document, seller.legal_name, page.right - page.left, 2);
  for (const [index, line] of name.entries())
    write(document, [line], { x: page.left, y: page.top + index * 16, width });
  let y = page.top + name.length * 16 + 2;
  document.fillColor(colors.quiet).fontSize(8.5);
  const contact = [addressOf(seller).join(", "), [seller.phone, seller.email].filter(Boolean).join(" · ")];
  const below = contact.flatMap((text) => wrapped(document, text, page.right - page.left, 2));
  write(document, below, { x: page.left, y, width });
  y += below.length * lineHeight + 30;

  document.fillColor(colors.dark).fontSize(9.5);
  const named = buyer.company === null ? [buyer.name] : [buyer.company, buyer.name];
  const receiver = fitted([...named, ...addressOf(buyer), buyer.vat_id && `VAT ID ${buyer.vat_id}`], 3);
  write(document, receiver, { x: page.left, y, width });
  const end = Math.max(y + receiver.length * lineHeight, drawFacts(document, invoice, y)) + 24;

  document.fillColor(colors.dark).fontSize(17);
  write(document, [`${titleOf(invoice)} ${invoice.number}`], { x: page.left, y: end, width });
  document.fontSize(8.5);
  return end + 34;
}

/** Beside the buyer is room for few of the documents that it refers to. */
const MOST_NAMED = 3;

const refersTo = ({ kind }: InvoiceDocument): string => (kind === "cancellation" ? "Cancels" : "Credits");

const namesOf = ({ preceding }: InvoiceDocument): string | null =>
  preceding.map(({ number, issued_on }) => `${number} of ${issued_on}`).join("\n") || null;

/** Returns the names of the documents that it refers to, if these are too many for its head. */
export const precedingText = (invoice: InvoiceDocument): string | null =>
  invoice.preceding.length > MOST_NAMED ? `${refersTo(invoice)}:\n${namesOf(invoice)}` : null;

/** @returns where they end */
function drawFacts(document: Document, invoice: InvoiceDocument, top: number): number {
  const { issued_on, due_on, seller, buyer } = invoice;
  const named = invoice.preceding.length > MOST_NAMED ? undefined : namesOf(invoice);
  const facts: (readonly [string, string | null])[] = [
    ["Number", invoice.number],
    ["Date", issued_on],
    ["Due on", due_on],
    [refersTo(invoice), named ?? `${invoice.preceding.length} invoices, see below`],
    ["Our VAT ID", seller.vat_id],
    ["Our tax number", seller.tax_number],
    ["Register number", seller.register_number],
    ["Your reference", buyer.buyer_reference],
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
    y += lines.length * lineHeight + 1;
  }
  return y;
}

/** Draws what is at the end of each page. */
export function drawFoot(document: Document, invoice: InvoiceDocument, number: string): void {
  const { seller } = invoice;
  const width = page.right - page.left;
  rule(document, page.foot - 6);
  document.fillColor(colors.quiet).fontSize(7.5);
  const parts = [seller.legal_name, ...addressOf(seller), seller.vat_id && `VAT ID ${seller.vat_id}`];
  const [first = ""] = wrapped(document, parts.filter(Boolean).join(" · "), width - 150, 1);
  write(document, [first], { x: page.left, y: page.foot, width });
  write(document, [`${invoice.number} · ${number}`], { x: page.left, y: page.foot, width, align: "right" });
}

/** Draws a mark across the page. */
export function drawVoid(document: Document): void {
  document.save().rotate(-45, { origin: [297, 421] });
  document.fillColor(colors.warning, 0.15).fontSize(150);
  document.text("VOID", 297 - document.widthOfString("VOID") / 2, 345, { lineBreak: false });
  document.restore().fillOpacity(1);
}

function addressOf({ street, postcode, city, country }: InvoiceDocument["seller" | "buyer"]): string[] {
  const place = [postcode, city].filter(Boolean).join(" ");
  return [street, place, country].filter((line): line is string => line !== null && line !== "");
}
