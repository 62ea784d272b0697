/** Reads CSV text (RFC 4180), with a comma or a semicolon between the values, and writes it. */
import { yieldingEvery } from "./async.ts";
import { type CsvFault, type CsvLine, csvLines } from "./csv-lines.ts";

export interface Csv {
  /** Without blank lines. The first names the columns. */
  lines: readonly CsvLine[];
  /** The line from which on the text can't be read, and why. */
  fault?: CsvFault;
}

interface Limits {
  /** The most lines to read: reading stops after one more. Blank lines have a limit of their own. */
  lines: number;
}

/** Reads a few milliseconds at a time, so that requests and timers run meanwhile. */
export async function readCsv(text: string, { lines: most }: Limits): Promise<Csv> {
  const lines: CsvLine[] = [];
  const pause = yieldingEvery();
  const reader = csvLines(text);
  for (let read = reader.next(); lines.length <= most; read = reader.next()) {
    if (read.done) return read.value === undefined ? { lines } : { lines, fault: read.value };
    if (read.value !== undefined) lines.push({ ...read.value, cells: read.value.cells.map(withoutMark) });
    await pause();
  }
  return { lines };
}

/**
 * A spreadsheet takes a value that begins with `=`, `+`, `-` or `@` for a formula. Who writes CSV puts an apostrophe before it, which
 * is not part of the value. A spreadsheet with German settings also divides a value at a semicolon, or at a tab or a line break in
 * it, whatever its quotes: there it begins anew. An apostrophe of the text's own gets another before it, so that none is lost.
 */
const MARKED = /^'(?='*[=+\-@\t])|([;\t\n])'(?=['" ]*[=+\-@])/g;
const UNMARKED = /^(?='*[=+\-@\t])|([;\t\n])(?=['" ]*[=+\-@])/g;
const NUMBER = /^-?\d+(\.\d+)?$/;

const withoutMark = (value: string): string => (value.includes("'") ? value.replace(MARKED, "$1") : value);

/** Returns a line of CSV (RFC 4180) with its line end. What a spreadsheet may take for the end of a cell is quoted. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join()}\r\n`;

const quoted = (cell: string): string => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Returns text as a cell, trimmed, with an apostrophe wherever a spreadsheet would take it for a formula. `readCsv` removes them. */
export function textCell(text: string): string {
  const value = text.trim().replace(/\r\n?/g, "\n");
  return NUMBER.test(value) ? value : value.replace(UNMARKED, "$1'");
}
