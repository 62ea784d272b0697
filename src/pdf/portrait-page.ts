/** Pages of text and tables, made of blocks. A4 in portrait, in points from the top left corner. */
import { linesOf } from "./fit-text.ts";
import type { Document } from "./open-document.ts";

export const page = { left: 50, right: 545, top: 50, bottom: 770, foot: 790 } as const;
export const colors = { dark: "#17202c", quiet: "#4d5a6b", rule: "#b8c0ca", warning: "#b3261e" } as const;
export const lineHeight = 12;

/** A part of the content that is not divided between pages. */
export interface Block {
  height: number;
  /** Of the table that it is a row of: it stands before the first row, and is repeated on each further page. */
  head?: Block;
  /** It is no last one of a page: a heading stays with what it is about. */
  staysWithNext?: boolean;
  draw(y: number): void;
}

export interface Placed {
  block: Block;
  y: number;
}

/** Divides blocks between pages. @param firstTop where the content of the first page begins */
export function paginate(blocks: readonly Block[], firstTop: number): Placed[][] {
  const pages: Placed[][] = [];
  let y = Number.POSITIVE_INFINITY;
  let before: Block | undefined;
  const place = (block: Block) => {
    pages.at(-1)?.push({ block, y });
    y += block.height;
  };
  for (const [at, block] of blocks.entries()) {
    if (y + heightFrom(blocks, at, before) > page.bottom) {
      y = pages.length === 0 ? firstTop : page.top;
      before = undefined;
      pages.push([]);
    }
    if (block.head !== undefined && block.head !== before?.head) place(block.head);
    place(block);
    before = block;
  }
  return pages;
}

/** Returns the height of a block, with its table's head and what it stays with. */
function heightFrom(blocks: readonly Block[], at: number, before: Block | undefined): number {
  const block = blocks[at];
  if (block === undefined) return 0;
  const own = block.height + (block.head === undefined || block.head === before?.head ? 0 : block.head.height);
  return block.staysWithNext ? own + heightFrom(blocks, at + 1, block) : own;
}

interface Cell {
  x: number;
  y: number;
  width: number;
  align?: "left" | "right";
  /** Of the lines. */
  leading?: number;
}

/** Writes lines of text below each other. */
export function write(
  document: Document,
  lines: readonly string[],
  { x, y, width, align = "left", leading = lineHeight }: Cell,
): void {
  for (const [index, line] of lines.entries()) {
    const shift = align === "right" ? width - document.widthOfString(line) : 0;
    document.text(line, x + shift, y + index * leading, { lineBreak: false });
  }
}

/** Breaks text into the lines of a width. What is longer than `most` lines is cut. */
export function wrapped(document: Document, text: string, width: number, most: number): string[] {
  const paragraphs = text
    .split("\n")
    .flatMap((one) => linesOf(one, width, most, (part) => document.widthOfString(part)));
  return paragraphs.slice(0, most);
}

export function rule(document: Document, y: number, from: number = page.left): void {
  document.moveTo(from, y).lineTo(page.right, y).lineWidth(0.5).strokeColor(colors.rule).stroke();
}
