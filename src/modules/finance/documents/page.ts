/** What the parts of an invoice's page have in common. A4 in portrait, in points from the top left corner. */
import { linesOf } from "../../../pdf/fit-text.ts";
import type { Document } from "../../../pdf/open-document.ts";

export const page = { left: 50, right: 545, top: 50, bottom: 770, foot: 790 } as const;
export const colors = { dark: "#17202c", quiet: "#4d5a6b", rule: "#b8c0ca", warning: "#b3261e" } as const;
export const lineHeight = 12;

/** A part of the content that is not divided between pages. */
export interface Block {
  height: number;
  /** It is in the table: a page that begins with it repeats the table's head. */
  isRow?: boolean;
  draw(y: number): void;
}

/** Divides blocks between pages. @param firstTop where the content of the first page begins @param head the height of the table's head */
export function paginate(blocks: readonly Block[], firstTop: number, head: number): Block[][] {
  const pages: Block[][] = [];
  let room = 0;
  for (const block of blocks) {
    if (block.height > room || pages.length === 0) {
      const top = pages.length === 0 ? firstTop : page.top;
      room = page.bottom - top - (block.isRow ? head : 0);
      pages.push([]);
    }
    pages.at(-1)?.push(block);
    room -= block.height;
  }
  return pages;
}

interface Cell {
  x: number;
  y: number;
  width: number;
  align?: "left" | "right";
}

/** Writes lines of text below each other. */
export function write(document: Document, lines: readonly string[], { x, y, width, align = "left" }: Cell): void {
  for (const [index, line] of lines.entries()) {
    const shift = align === "right" ? width - document.widthOfString(line) : 0;
    document.text(line, x + shift, y + index * lineHeight, { lineBreak: false });
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
