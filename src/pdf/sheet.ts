/** Blocks of a page of text: titles, headings, names with values, paragraphs and tables; and the pages of them. */
import { yieldingBetween } from "../core/async.ts";
import { linesOf } from "./fit-text.ts";
import type { Document } from "./open-document.ts";
import { type Block, colors, page, paginate, rule, wrapped, write } from "./portrait-page.ts";

const width = page.right - page.left;
const label = 130;
const [size, leading] = [8.5, 11];
const [small, smallLeading] = [7.5, 9.5];
/** More lines than the longest text has. */
const all = 5000;

/** The title of a file or of a part of it, and below it what that is about. */
export function titleBlock(document: Document, text: string, about: string): Block {
  document.fontSize(20);
  const title = wrapped(document, text, width, 2);
  document.fontSize(11);
  const lines = wrapped(document, about, width, 6);
  const below = 6 + title.length * 24;
  return {
    height: below + lines.length * 15 + 2,
    draw(y) {
      document.fillColor(colors.dark).fontSize(20);
      write(document, title, { x: page.left, y, width, leading: 24 });
      document.fillColor(colors.quiet).fontSize(11);
      write(document, lines, { x: page.left, y: y + below, width, leading: 15 });
    },
  };
}

export function heading(document: Document, text: string): Block {
  return {
    height: 36,
    staysWithNext: true,
    draw(y) {
      document.fillColor(colors.dark).fontSize(11.5);
      write(document, [text], { x: page.left, y: y + 14, width });
      rule(document, y + 31);
    },
  };
}

export const space = (height: number): Block => ({ height, draw: () => undefined });

interface Style {
  color?: string;
  indent?: number;
  isSmall?: boolean;
}

/** Returns a block for each line of a text, so that it continues on the next page. */
export function paragraph(
  document: Document,
  text: string,
  { color = colors.dark, indent = 0, isSmall = false }: Style = {},
): Block[] {
  const [points, height] = isSmall ? [small, smallLeading] : [size, leading];
  document.fontSize(points);
  return wrapped(document, text, width - indent, all).map((line) => ({
    height,
    draw(y) {
      document.fillColor(color).fontSize(points);
      write(document, [line], { x: page.left + indent, y, width });
    },
  }));
}

/** Returns names with values beside them; without those that have none. */
export function facts(document: Document, rows: readonly (readonly [name: string, value: string | null])[]): Block[] {
  document.fontSize(size);
  return rows.flatMap(([name, value]) => {
    if (value === null) return [];
    return wrapped(document, value, width - label, all).map((line, at) => ({
      height: leading + (at === 0 ? 1 : 0),
      draw(y: number) {
        document.fontSize(size).fillColor(colors.quiet);
        if (at === 0) write(document, [name], { x: page.left, y, width: label });
        document.fillColor(colors.dark);
        write(document, [line], { x: page.left + label, y, width: width - label });
      },
    }));
  });
}

export interface Column {
  name: string;
  width: number;
  align?: "left" | "right";
}

export interface Row {
  cells: readonly string[];
  color?: string;
}

const gap = 6;

/** Returns a block for each row, whose texts are wrapped. */
export const table = (document: Document, columns: readonly Column[], rows: readonly Row[]): Block[] =>
  rowsUnder(document, columns)(rows);

/** Returns what makes the blocks of a table's rows, some at a time: many take long. */
export function rowsUnder(document: Document, columns: readonly Column[]): (rows: readonly Row[]) => Block[] {
  document.fontSize(small);
  const fitted = (text: string, room: number) => linesOf(text, room - gap, 80, (part) => document.widthOfString(part));
  const place = (cells: readonly (readonly string[])[], y: number) => {
    let x: number = page.left;
    for (const [at, { width: room, align }] of columns.entries()) {
      const cell = { x, y, width: room - gap, leading: smallLeading, ...(align && { align }) };
      write(document, cells[at] ?? [], cell);
      x += room;
    }
  };
  const heightOf = (cells: readonly (readonly string[])[]) =>
    Math.max(1, ...cells.map(({ length }) => length)) * smallLeading + 4;
  const names = columns.map(({ name, width: room }) => fitted(name, room));
  const headHeight = heightOf(names) + 4;
  const head: Block = {
    height: headHeight,
    draw(y) {
      document.fillColor(colors.quiet).fontSize(small);
      place(names, y + 2);
      rule(document, y + headHeight - 3);
    },
  };
  return (rows) => {
    document.fontSize(small);
    return rows.map(({ cells, color = colors.dark }) => {
      const lines = cells.map((text, at) => fitted(text, columns[at]?.width ?? 0));
      return {
        height: heightOf(lines),
        head,
        draw(y) {
          document.fillColor(color).fontSize(small);
          place(lines, y);
        },
      };
    });
  };
}

/** Returns the blocks of all parts, and yields between them: long texts and tables take time. */
export async function inTurns(parts: Iterable<() => readonly Block[]>): Promise<Block[]> {
  const blocks: Block[] = [];
  for await (const make of yieldingBetween(parts)) blocks.push(...make());
  return blocks;
}

export interface FootedPage {
  /** Draws it on the document's present page. @param number for its foot */
  draw(number: string): void;
}

/** Returns the pages of blocks, which a document may have after others. @param about at the foot of each: see `foot` */
export const footed = (
  document: Document,
  blocks: readonly Block[],
  about: { text: string; whole: string },
): FootedPage[] =>
  paginate(blocks, page.top).map((content) => ({
    draw(number) {
      for (const { block, y } of content) block.draw(y);
      foot(document, { ...about, number });
    },
  }));

/** Writes what is at the end of each page. @param whole what is never cut, after what may be */
export function foot(
  document: Document,
  { text, whole, number }: { text: string; whole: string; number: string },
): void {
  rule(document, page.foot - 6);
  document.fillColor(colors.quiet).fontSize(7);
  write(document, [number], { x: page.left, y: page.foot, width, align: "right" });
  const after = ` · ${whole}`;
  const room = width - document.widthOfString(`${after}${number}`) - 16;
  const [line = ""] = linesOf(text, room, 1, (part) => document.widthOfString(part));
  write(document, [`${line}${after}`], { x: page.left, y: page.foot, width });
}
