/** Divides CSV text (RFC 4180) into lines and their cells. Each step costs little, whatever the text is. */

export interface CsvLine {
  /** The number of its first line in the text, from 1. A quoted value may go over several lines. */
  line: number;
  cells: readonly string[];
}

export interface CsvFault {
  line: number;
  message: string;
}

/** Longer than any line of real records, in characters. */
const MAX_LINE = 64 * 1024;

/** More than any table has columns. */
const MAX_CELLS = 500;

/** With blank lines, which a spreadsheet may write by the thousand. */
const MAX_LINES = 100_000;

/** How many characters of blank lines are one step. */
const STEP = 16 * 1024;

const [LINE_FEED, RETURN, QUOTE, SPACE, TAB] = [10, 13, 34, 32, 9];

/**
 * Yields each line that is not blank, with its cells trimmed, and `undefined` after some that are: the caller may pause at
 * each step.
 *
 * @returns the fault that ended it, if there is one
 */
export function* csvLines(text: string): Generator<CsvLine | undefined, CsvFault | undefined> {
  const separator = separatorOf(text);
  for (let [at, line] = [0, 1]; at < text.length; ) {
    const blank = skipBlankLines(text, at, separator);
    const read = blank.lines > 0 ? blank : readLine(text, at, separator);
    if (typeof read === "string") return { line, message: read };
    if (line + read.lines - 1 > MAX_LINES) return { line: MAX_LINES + 1, message: messages.lines };
    yield read.cells.some((cell) => cell !== "") ? { line, cells: read.cells } : undefined;
    [at, line] = [read.end, line + read.lines];
  }
  return undefined;
}

const messages = {
  cells: `The line has more than ${MAX_CELLS} values.`,
  closing: "A quoted value has a quote inside that is not doubled.",
  line: `The line is longer than ${MAX_LINE} characters.`,
  lines: `The file has more than ${MAX_LINES} lines. Remove the blank ones.`,
  open: "A quoted value is not closed.",
  opening: "A value with a quote must be quoted, and the quote doubled.",
} as const;

/** The first line names the columns, and no name has a separator in it. */
function separatorOf(text: string): "," | ";" {
  const first = text.slice(0, endOfLine(text, 0));
  return first.split(";", MAX_CELLS).length > first.split(",", MAX_CELLS).length ? ";" : ",";
}

function endOfLine(text: string, at: number): number {
  let end = at;
  while (end < text.length && end < at + MAX_LINE && !isLineEnd(text.charCodeAt(end))) end += 1;
  return end;
}

interface Read {
  cells: readonly string[];
  /** The first character after it. */
  end: number;
  /** How many lines of the text it has. */
  lines: number;
}

/** Passes the lines without values, and may stop before the last of them. */
function skipBlankLines(text: string, start: number, separator: string): Read {
  const [stop, between] = [Math.min(text.length, start + STEP), separator.charCodeAt(0)];
  let [end, lines] = [start, 0];
  for (let at = start; at < stop; at += 1) {
    const code = text.charCodeAt(at);
    if (endsLine(text, at)) [end, lines] = [at + 1, lines + 1];
    else if (code !== between && code !== SPACE && code !== TAB && code !== RETURN) break;
  }
  return { cells: [], end, lines };
}

/** Reads one line, which ends at the first line end outside of quotes. @returns the message if it can't be read */
function readLine(text: string, start: number, separator: string): Read | string {
  const between = separator.charCodeAt(0);
  const cells: string[] = [];
  for (let [at, lines] = [start, 1]; ; at += 1) {
    const isQuoted = text.charCodeAt(at) === QUOTE;
    const end = isQuoted ? afterQuoted(text, at) : afterPlain(text, at, between);
    if (end === undefined) return messages.open;
    if (end - start > MAX_LINE) return messages.line;
    if (cells.length === MAX_CELLS) return messages.cells;
    const cell = text.slice(at, end);
    cells.push((isQuoted ? unquoted(cell) : cell).trim());
    if (isQuoted) lines += lineEndsIn(cell);
    at = end;
    if (text.charCodeAt(at) === between) continue;
    if (at === text.length) return { cells, end: at, lines };
    if (!isLineEnd(text.charCodeAt(at))) return isQuoted ? messages.closing : messages.opening;
    return { cells, end: endsLine(text, at) ? at + 1 : at + 2, lines };
  }
}

/** @returns the first character after the quoted cell, or one too far away: `undefined` if it is not closed */
function afterQuoted(text: string, start: number): number | undefined {
  for (let from = start + 1; from - start <= MAX_LINE; ) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return undefined;
    if (text.charCodeAt(quote + 1) !== QUOTE) return quote + 1;
    from = quote + 2;
  }
  return start + MAX_LINE + 1;
}

/** @returns the first character after the cell, or one too far away */
function afterPlain(text: string, start: number, between: number): number {
  let end = start;
  for (const stop = Math.min(text.length, start + MAX_LINE + 1); end < stop; end += 1) {
    const code = text.charCodeAt(end);
    if (code === between || code === QUOTE || isLineEnd(code)) break;
  }
  return end;
}

const unquoted = (cell: string): string => cell.slice(1, -1).replaceAll('""', '"').replace(/\r\n?/g, "\n");

const lineEndsIn = (cell: string): number => cell.match(/\r\n?|\n/g)?.length ?? 0;

const isLineEnd = (code: number): boolean => code === LINE_FEED || code === RETURN;

/** Returns whether the next character begins a line. */
const endsLine = (text: string, at: number): boolean =>
  text.charCodeAt(at) === LINE_FEED || (text.charCodeAt(at) === RETURN && text.charCodeAt(at + 1) !== LINE_FEED);
