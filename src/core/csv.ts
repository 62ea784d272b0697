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
 * A spreadsheet takes a value that begins with one of these for a formula. Who writes CSV puts an apostrophe before it; such
 * an apostrophe is not part of the value.
 */
const MARKED = /^'+[=+\-@\t]/;

const withoutMark = (value: string): string => (MARKED.test(value) ? value.slice(1) : value);

/** Returns a line of CSV (RFC 4180) with its line end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join()}\r\n`;

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Returns text as a cell, with an apostrophe if a spreadsheet would take it for a formula. `readCsv` removes it. */
export const textCell = (text: string): string =>
  /^'*[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
