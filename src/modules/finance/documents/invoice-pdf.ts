/** An invoice, a credit note or a cancellation for people, as a PDF file. */
import { ownTurn } from "../../../core/async.ts";
import { finished, openDocument } from "../../../pdf/open-document.ts";
import { type Block, lineHeight, paginate } from "../../../pdf/portrait-page.ts";
import { textsOf } from "../texts/texts.ts";
import { drawFoot, drawHead, drawVoid, precedingText, titleOf } from "./draw-head.ts";
import { lineBlocks } from "./draw-lines.ts";
import { paymentBlocks, sumBlocks, textBlocks } from "./draw-sums.ts";
import type { InvoiceDocument } from "./invoice-document.ts";

export async function* invoicePdf(invoice: InvoiceDocument): AsyncGenerator<Uint8Array> {
  const title = `${titleOf(invoice)} ${invoice.number}`;
  const made = new Date(`${invoice.issued_on}T00:00:00Z`);
  const document = await openDocument(title, made, { layout: "portrait", language: invoice.language });
  await ownTurn();
  document.addPage();
  if (invoice.void) drawVoid(document, invoice);
  const top = drawHead(document, invoice);
  const space: Block = { height: lineHeight, draw: () => undefined };
  const texts = [invoice.note, precedingText(invoice)].flatMap((text) =>
    text === null ? [] : [space, ...textBlocks(document, text)],
  );
  await ownTurn();
  const blocks = [
    ...lineBlocks(document, invoice),
    ...sumBlocks(document, invoice),
    ...paymentBlocks(document, invoice),
    ...texts,
  ];
  const pages = paginate(blocks, top);
  for (const [index, content] of pages.entries()) {
    await ownTurn();
    if (index > 0) {
      document.addPage();
      if (invoice.void) drawVoid(document, invoice);
    }
    for (const { block, y } of content) block.draw(y);
    drawFoot(document, invoice, textsOf(invoice.language).document.page(index + 1, pages.length));
    yield* finished(document);
  }
  document.end();
  for await (const piece of document) yield Buffer.from(piece);
}
