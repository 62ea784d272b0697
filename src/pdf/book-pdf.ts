/** A log as a PDF file: a table with totals at the foot of each page, made a page at a time. */
import { ownTurn } from "../core/async.ts";
import { type Cursor, decodeCursor } from "../core/cursor.ts";
import type { Book } from "./book.ts";
import { drawFrame, drawRow, drawTotals, ROWS } from "./draw-page.ts";
import { finished, openDocument } from "./open-document.ts";

/** @param checkAccess called before each further page; throws if the caller has lost access */
export async function* bookPdf<Name extends string, Row>(
  book: Book<Name, Row>,
  checkAccess: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const { words } = book;
  const document = await openDocument(`${book.title} · ${book.subject}`, book.now, { language: book.language });
  const pages = Math.max(1, Math.ceil(book.count / ROWS));
  for (let number = 1, cursor: Cursor | undefined, isLast = false; !isLast; number++) {
    if (number > 1) await checkAccess();
    const page = await book.read({ limit: ROWS, cursor });
    document.addPage();
    // There are more rows than counted, if flights were approved meanwhile.
    drawFrame(document, book, words.page(number, Math.max(number, pages)));
    for (const [index, row] of page.data.entries()) {
      await ownTurn();
      drawRow(document, book.columns, row, index);
    }
    await ownTurn();
    drawTotals(document, book.columns, [
      [words.totals.page, page.page_totals],
      [words.totals.before, page.brought_forward],
      [words.totals.all, page.to_date],
    ]);
    cursor = page.page.next_cursor === null ? undefined : decodeCursor(page.page.next_cursor);
    isLast = cursor === undefined;
    yield* finished(document);
  }
  await ownTurn();
  document.end();
  for await (const piece of document) yield Buffer.from(piece);
}
