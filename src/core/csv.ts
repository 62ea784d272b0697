/** Reads CSV text (RFC 4180), with a comma or a semicolon between the values. */
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

/** The apostrophes that `textCell` puts before what a spreadsheet would take for a formula. */
const MARKED = /^'(?='*[=+\-@\t])|([;\t\n])'(?=['" ]*[=+\-@])/g;

const withoutMark = (value: string): string => (value.includes("'") ? value.replace(MARKED, "$1") : value);
