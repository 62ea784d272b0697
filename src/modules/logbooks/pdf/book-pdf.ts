/** A log as a PDF file: a table with totals at the foot of each page, made a page at a time. */
import { ownTurn } from "../../../core/async.ts";
import { type Cursor, decodeCursor } from "../../../core/cursor.ts";
import type { Language } from "../../../core/languages.ts";
import type { PageRequest } from "../../../storage/page.ts";
import type { LedgerPage } from "../ledger.ts";
import type { Totals } from "../totals.ts";
import { drawFrame, drawRow, drawTotals, ROWS } from "./draw-page.ts";
import { finished, openDocument } from "./open-document.ts";

export interface Column<Name extends string, Row> {
  /** The first line of the head, over all columns beside each other that have the same; empty if there is none. */
  group: string;
  name: string;
  width: number;
  /** One text, which is wrapped, or lines. What does not fit is cut. */
  cell(row: Row): string | readonly string[];
  /** Numbers are aligned to the right, and written smaller if they do not fit. */
  isNumber?: boolean;
  /** Who signs a row in this column: below its text, which then has one line. */
  signer?(row: Row): string | undefined;
  /** What stands in this column below the rows. */
  total?(totals: Totals<Name>): string;
}

/** What each page says besides its rows. */
export interface BookWords {
  page(number: number, count: number): string;
  totals: { page: string; before: string; all: string };
}

const english: BookWords = {
  page: (number, count) => `Page ${number} of ${count}`,
  totals: { page: "Total this page", before: "Brought forward", all: "Total to date" },
};

export interface Book<Name extends string, Row> {
  /** By default English. */
  language?: Language;
  words?: BookWords;
  title: string;
  /** Whose it is: beside the title. */
  subject: string;
  /** The subject's: below the name. */
  address?: string;
  /** Below the title. */
  note: string;
  columns: readonly Column<Name, Row>[];
  /** Lines below the totals: what the words in the rows mean. */
  legend?: readonly string[];
  /** At the foot of each page: who signs. */
  signature?: string;
  /** How many rows there are. */
  count: number;
  now: Date;
  /** Reads the pages one after the other, as `pagesOf` does. */
  read(page: PageRequest): Promise<LedgerPage<Name, Row>>;
}

/** @param checkAccess called before each further page; throws if the caller has lost access */
export async function* bookPdf<Name extends string, Row>(
  book: Book<Name, Row>,
  checkAccess: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const { words = english } = book;
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
