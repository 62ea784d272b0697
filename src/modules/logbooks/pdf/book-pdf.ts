/** A log as a PDF file: a table with totals at the foot of each page, made a page at a time. */
import { yieldingEvery } from "../../../core/async.ts";
import { type Cursor, decodeCursor } from "../../../core/cursor.ts";
import type { PageRequest } from "../../../storage/page.ts";
import type { LedgerPage } from "../ledger.ts";
import type { Totals } from "../totals.ts";
import { linesOf } from "./fit-text.ts";
import { type Document, finished, openDocument } from "./open-document.ts";

export interface Column<Name extends string, Row> {
  /** The two lines of the head. Columns beside each other with the same group share its first line. */
  group: string;
  name: string;
  width: number;
  /** One text that is wrapped, or lines. */
  cell(row: Row): string | readonly string[];
  /** Numbers are aligned to the right. */
  isNumber?: boolean;
  /** What stands in this column below the rows. */
  total?(totals: Totals<Name>): string;
}

export interface Book<Name extends string, Row> {
  title: string;
  /** Whose it is: beside the title. */
  subject: string;
  /** Below the title. */
  note: string;
  columns: readonly Column<Name, Row>[];
  /** Below the totals: who signs. */
  signature: string;
  /** How many rows there are. */
  count: number;
  now: Date;
  /** Reads the pages one after the other, as `pagesOf` does. */
  read(page: PageRequest): Promise<LedgerPage<Name, Row>>;
}

const ROWS = 20;
const [left, top, right] = [28, 26, 814];
const [rowHeight, headTop, lineHeight] = [19, 62, 8];
const headHeight = 24;
const bodyTop = headTop + headHeight;
const footTop = bodyTop + ROWS * rowHeight;
const footHeight = 14;
const size = 6.2;

/** @param checkAccess called before each further page; throws if the caller has lost access */
export async function* bookPdf<Name extends string, Row>(
  book: Book<Name, Row>,
  checkAccess: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const pause = yieldingEvery();
  const document = await openDocument(`${book.title} · ${book.subject}`, book.now);
  const pages = Math.max(1, Math.ceil(book.count / ROWS));
  for (let number = 1, cursor: Cursor | undefined, isLast = false; !isLast; number++) {
    if (number > 1) await checkAccess();
    const page = await book.read({ limit: ROWS, cursor });
    document.addPage();
    drawFrame(document, book, `Page ${number} of ${Math.max(number, pages)}`);
    for (const [index, row] of page.data.entries()) {
      await pause();
      drawRow(document, book.columns, row, bodyTop + index * rowHeight);
    }
    await pause();
    drawTotals(document, book.columns, page);
    cursor = page.page.next_cursor === null ? undefined : decodeCursor(page.page.next_cursor);
    isLast = cursor === undefined;
    yield* finished(document);
  }
  await pause();
  document.end();
  for await (const piece of document) yield Buffer.from(piece);
}

const write = (document: Document, text: string, x: number, y: number) =>
  document.text(text, x, y, { lineBreak: false });

function drawFrame<Name extends string, Row>(document: Document, book: Book<Name, Row>, pageNumber: string): void {
  const { title, subject, note, signature, columns } = book;
  document.fillColor("black").lineWidth(0.4).strokeColor("black");
  document.fontSize(12);
  write(document, title, left, top);
  const [named = ""] = linesOf(subject, right - left - 160, 1, (text) => document.widthOfString(text));
  write(document, named, right - document.widthOfString(named), top);
  document.fontSize(7);
  write(document, note, left, top + 18);
  const foot = footTop + 3 * footHeight + 18;
  write(document, `${signature}: ______________________________________`, left, foot);
  write(document, pageNumber, right - document.widthOfString(pageNumber), foot);

  document.fontSize(size);
  const half = headHeight / 2;
  let x = left;
  for (const [index, { group, name, width }] of columns.entries()) {
    const isFirst = group === "" || columns[index - 1]?.group !== group;
    if (isFirst && group !== "") {
      const shared = widthOf(columns.slice(index), group);
      drawFitted(document, group, { x, y: headTop + 3, width: shared }, "center");
      document
        .moveTo(x, headTop + half)
        .lineTo(x + shared, headTop + half)
        .stroke();
    }
    const lines = group === "" ? linesOf(name, width - 2, 2, (text) => document.widthOfString(text)) : [name];
    const y = group === "" ? headTop + (headHeight - lines.length * lineHeight) / 2 : headTop + half + 3;
    for (const [at, line] of lines.entries())
      drawFitted(document, line, { x, y: y + at * lineHeight, width }, "center");
    document
      .moveTo(x, isFirst ? headTop : headTop + half)
      .lineTo(x, footTop + 3 * footHeight)
      .stroke();
    x += width;
  }
  document
    .moveTo(x, headTop)
    .lineTo(x, footTop + 3 * footHeight)
    .stroke();
  const rules = [headTop, ...Array.from({ length: ROWS + 1 }, (_, row) => bodyTop + row * rowHeight)];
  for (const y of [...rules, ...[1, 2, 3].map((row) => footTop + row * footHeight)])
    document.moveTo(left, y).lineTo(x, y).stroke();
}

/** Returns the width of the columns at the beginning that are of the group. */
function widthOf(columns: readonly { group: string; width: number }[], group: string): number {
  const end = columns.findIndex((column) => column.group !== group);
  return columns.slice(0, end === -1 ? columns.length : end).reduce((sum, { width }) => sum + width, 0);
}

function drawRow<Name extends string, Row>(
  document: Document,
  columns: readonly Column<Name, Row>[],
  row: Row,
  y: number,
): void {
  let x = left;
  document.fontSize(size);
  for (const { width, cell, isNumber } of columns) {
    const content = cell(row);
    const lines =
      typeof content === "string" && !isNumber
        ? linesOf(content, width - 3, 2, (text) => document.widthOfString(text))
        : [content].flat();
    const first = y + (rowHeight - lines.length * lineHeight) / 2 + 1;
    for (const [at, line] of lines.entries())
      drawFitted(document, line, { x, y: first + at * lineHeight, width }, isNumber ? "right" : "left");
    x += width;
  }
}

function drawTotals<Name extends string, Row>(
  document: Document,
  columns: readonly Column<Name, Row>[],
  { page_totals, brought_forward, to_date }: LedgerPage<Name, Row>,
): void {
  const rows = [
    ["Total this page", page_totals],
    ["Brought forward", brought_forward],
    ["Total to date", to_date],
  ] as const;
  document.fontSize(size);
  for (const [index, [label, totals]] of rows.entries()) {
    const y = footTop + index * footHeight + 4;
    const labelled = columns.findIndex(({ total }) => total !== undefined);
    let x = left;
    for (const [at, { width, total }] of columns.entries()) {
      if (at === labelled) write(document, label, x - document.widthOfString(label) - 4, y);
      if (total) drawFitted(document, total(totals), { x, y, width }, "right");
      x += width;
    }
  }
}

/** Writes one line into a cell, smaller if it is too wide. */
function drawFitted(
  document: Document,
  text: string,
  { x, y, width }: { x: number; y: number; width: number },
  align: "left" | "right" | "center",
): void {
  if (text === "") return;
  const [room, needed] = [width - 2, document.widthOfString(text)];
  if (needed > room) document.fontSize((size * room) / needed);
  const space = Math.max(0, room - needed);
  write(document, text, x + 1 + { left: 0, center: space / 2, right: space }[align], y);
  if (needed > room) document.fontSize(size);
}
