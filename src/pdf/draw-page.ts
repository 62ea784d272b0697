/** Draws a page of a log: A4 in landscape, in points from its top left corner. */
import type { Totals } from "../storage/totals.ts";
import type { Book, Column } from "./book.ts";
import { linesOf } from "./fit-text.ts";
import type { Document } from "./open-document.ts";

/** The rows of a page. */
export const ROWS = 20;

const [left, right, top] = [28, 814, 26];
const [size, lineHeight, padding] = [6.2, 8, 1.5];
const [headTop, headHeight, rowHeight, footHeight] = [62, 24, 20, 14];
const headMiddle = headTop + headHeight / 2;
const bodyTop = headTop + headHeight;
const footTop = bodyTop + ROWS * rowHeight;
const footEnd = footTop + 3 * footHeight;

interface Cell {
  x: number;
  y: number;
  width: number;
}

/** Draws everything but the rows and the totals. */
export function drawFrame<Name extends string, Row>(
  document: Document,
  { title, subject, address = "", note, legend = [], signature, columns }: Book<Name, Row>,
  pageNumber: string,
): void {
  document.lineWidth(0.4).fontSize(12);
  write(document, title, left, top);
  const [named = ""] = fitted(document, [subject], right - left - 160);
  writeEnding(document, named, top);
  document.fontSize(7);
  write(document, note, left, top + 18);
  for (const [at, line] of fitted(document, address, (right - left) * 0.6).entries())
    writeEnding(document, line, top + 18 + at * lineHeight);
  for (const [at, line] of legend.entries()) write(document, line, left, footEnd + 6 + at * lineHeight);
  if (signature) write(document, `${signature}: ______________________________________`, left, footEnd + 36);
  writeEnding(document, pageNumber, footEnd + 36);
  drawHead(document, columns);
  for (let row = 0; row <= ROWS; row++) rule(document, [left, bodyTop + row * rowHeight], [right, 0]);
  for (let row = 1; row <= 3; row++) rule(document, [left, footTop + row * footHeight], [right, 0]);
}

/** Draws the head with its two lines, and the rules between the columns. */
function drawHead<Name extends string, Row>(document: Document, columns: readonly Column<Name, Row>[]): void {
  document.fontSize(size);
  rule(document, [left, headTop], [right, 0]);
  rule(document, [right, headTop], [0, footEnd]);
  for (const [index, { group, name, width, x }] of placed(columns)) {
    const isFirst = group === "" || columns[index - 1]?.group !== group;
    if (isFirst && group !== "") {
      const shared = widthOf(columns.slice(index), group);
      drawFitted(document, group, { x, y: headTop + 3, width: shared }, 0.5);
      rule(document, [x, headMiddle], [x + shared, 0]);
    }
    const lines = group === "" ? fitted(document, name, width - 2 * padding) : [name];
    const y = group === "" ? headMiddle - (lines.length * lineHeight) / 2 : headMiddle + 3;
    for (const [at, line] of lines.entries()) drawFitted(document, line, { x, y: y + at * lineHeight, width }, 0.5);
    const isBesideName = index > 0 && index < namedAt(columns);
    rule(document, [x, isFirst ? headTop : headMiddle], [0, isBesideName ? footTop : footEnd]);
  }
}

/** Returns the width of the columns at the beginning that are of the group. */
function widthOf(columns: readonly { group: string; width: number }[], group: string): number {
  const end = columns.findIndex((column) => column.group !== group);
  return columns.slice(0, end === -1 ? columns.length : end).reduce((sum, { width }) => sum + width, 0);
}

/** @param index of the row on the page */
export function drawRow<Name extends string, Row>(
  document: Document,
  columns: readonly Column<Name, Row>[],
  row: Row,
  index: number,
): void {
  document.fontSize(size);
  for (const [, { width, cell, isNumber, signer, x }] of placed(columns)) {
    const signs = signer?.(row);
    const content = signs === undefined ? cell(row) : [cell(row)].flat().slice(0, 1);
    const lines = isNumber ? [content].flat() : fitted(document, content, width - 2 * padding);
    const used = signs === undefined ? lines.length : 2;
    const y = bodyTop + (index + 0.5) * rowHeight - (used * lineHeight) / 2 + 1;
    for (const [at, line] of lines.entries())
      drawFitted(document, line, { x, y: y + at * lineHeight, width }, isNumber ? 1 : 0);
    if (signs !== undefined) drawSignature(document, signs, { x, y: y + lineHeight, width });
  }
}

/** Writes who signs, and draws a line for it up to the end of the cell. */
function drawSignature(document: Document, signer: string, { x, y, width }: Cell): void {
  const caption = `${signer}:`;
  write(document, caption, x + padding, y);
  rule(document, [x + padding + document.widthOfString(caption) + 2, y + size], [x + width - 2 * padding, 0]);
}

export function drawTotals<Name extends string, Row>(
  document: Document,
  columns: readonly Column<Name, Row>[],
  rows: readonly (readonly [name: string, totals: Totals<Name>])[],
): void {
  document.fontSize(size);
  for (const [row, [name, totals]] of rows.entries()) {
    const y = footTop + row * footHeight + 4;
    for (const [index, { width, total, x }] of placed(columns)) {
      if (index === namedAt(columns)) write(document, name, x - document.widthOfString(name) - 4, y);
      if (total) drawFitted(document, total(totals), { x, y, width }, 1);
    }
  }
}

/** Returns the column before which the totals have their names. */
const namedAt = (columns: readonly { total?: unknown }[]): number =>
  columns.findIndex(({ total }) => total !== undefined);

function* placed<C extends { width: number }>(columns: readonly C[]): Generator<[number, C & { x: number }]> {
  let x = left;
  for (const [index, column] of columns.entries()) {
    yield [index, { ...column, x }];
    x += column.width;
  }
}

/** Returns the lines of a cell: of one text at most two. */
function fitted(document: Document, content: string | readonly string[], width: number): readonly string[] {
  const fit = (text: string, most: number) => linesOf(text, width, most, (part) => document.widthOfString(part));
  return typeof content === "string" ? fit(content, 2) : content.flatMap((line) => fit(line, 1));
}

/** Writes one line into a cell, smaller if it is too wide. @param align 0: to the left, 1: to the right */
function drawFitted(document: Document, text: string, { x, y, width }: Cell, align: 0 | 0.5 | 1): void {
  if (text === "") return;
  const [room, needed] = [width - 2 * padding, document.widthOfString(text)];
  const shrinks = needed > room;
  if (shrinks) document.fontSize((size * room) / needed);
  write(document, text, x + padding + align * Math.max(0, room - needed), y);
  if (shrinks) document.fontSize(size);
}

function write(document: Document, text: string, x: number, y: number): void {
  document.text(text, x, y, { lineBreak: false });
}

/** Writes a line that ends at the right margin. */
function writeEnding(document: Document, text: string, y: number): void {
  write(document, text, right - document.widthOfString(text), y);
}

/** Draws a line from a point to the right, or down. */
function rule(document: Document, [x, y]: readonly [number, number], [toX, toY]: readonly [number, number]): void {
  document
    .moveTo(x, y)
    .lineTo(toX || x, toY || y)
    .stroke();
}
