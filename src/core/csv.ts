/** Reads CSV text (RFC 4180), with a comma or a semicolon between the values, and writes it. */
import { CsvError, parse } from "csv-parse";
import { yieldingEvery } from "./async.ts";

export interface CsvLine {
  /** The number of its first line in the text, from 1. A quoted value may go over several lines. */
  line: number;
  cells: readonly string[];
}

export interface Csv {
  /** Without blank lines. The first names the columns. */
  lines: readonly CsvLine[];
  /** The line from which on the text can't be read, and why. */
  fault?: { line: number; message: string };
}

interface Limits {
  /** The most lines to read: reading stops after one more. */
  lines: number;
}

/** Longer than any line of real records. */
const MAX_LINE = 64 * 1024;

/** How much of the text is read without a look at the clock, in bytes. */
const PIECE = 4 * 1024;

/** Reads in pieces, so that requests and timers run meanwhile. */
export async function readCsv(text: string, { lines: most }: Limits): Promise<Csv> {
  const lines: CsvLine[] = [];
  const plain = text.replace(/\r\n?/g, "\n");
  const bytes = Buffer.from(plain); // a piece of text could end inside a character
  let [next, failure]: [number, Error | undefined] = [1, undefined];
  const parser = parse({
    delimiter: separatorOf(plain),
    record_delimiter: "\n",
    relax_column_count: true,
    max_record_size: MAX_LINE,
    info: true,
  });
  parser.on("data", ({ record, info }: { record: string[]; info: { lines: number } }) => {
    if (record.some((cell) => cell.trim() !== "")) lines.push({ line: next, cells: record.map(withoutMark) });
    next = info.lines + 1;
  });
  const ended = new Promise<void>((resolve) => {
    parser.on("end", resolve);
    parser.on("error", (error) => {
      failure = error;
      resolve();
    });
  });
  const pause = yieldingEvery();
  for (let at = 0; at < bytes.length && failure === undefined && lines.length <= most; at += PIECE) {
    parser.write(bytes.subarray(at, at + PIECE));
    await pause();
  }
  if (lines.length > most) {
    parser.destroy();
    return { lines };
  }
  parser.end();
  await ended;
  return failure === undefined ? { lines } : { lines, fault: { line: next, message: messageOf(failure) } };
}

/** The first line names the columns, and no name has a separator in it. */
function separatorOf(text: string): "," | ";" {
  const [first = ""] = text.split("\n", 1);
  return first.split(";").length > first.split(",").length ? ";" : ",";
}

const messages: Record<string, string> = {
  CSV_INVALID_CLOSING_QUOTE: "A quoted value has a quote inside that is not doubled.",
  CSV_MAX_RECORD_SIZE: `The line is longer than ${MAX_LINE} bytes.`,
  CSV_QUOTE_NOT_CLOSED: "A quoted value is not closed.",
  INVALID_OPENING_QUOTE: "A value with a quote must be quoted, and the quote doubled.",
};

const messageOf = (error: Error): string =>
  (error instanceof CsvError && messages[error.code]) || "The line can't be read.";

/**
 * A spreadsheet takes a value that begins with one of these for a formula. Who writes CSV puts an apostrophe before it; such
 * an apostrophe is not part of the value.
 */
const MARKED = /^'+[=+\-@\t]/;

const withoutMark = (cell: string): string => {
  const value = cell.trim();
  return MARKED.test(value) ? value.slice(1) : value;
};

/** Returns a line of CSV (RFC 4180) with its line end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join()}\r\n`;

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Returns text as a cell, with an apostrophe if a spreadsheet would take it for a formula. `readCsv` removes it. */
export const textCell = (text: string): string =>
  /^'*[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
