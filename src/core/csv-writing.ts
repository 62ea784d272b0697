/** Writes CSV text (RFC 4180), with a comma between the values. */

/**
 * A spreadsheet takes a value that begins with `=`, `+`, `-` or `@` for a formula. Who writes CSV puts an apostrophe before it, which
 * is not part of the value. A spreadsheet with German settings also divides a value at a semicolon, or at a tab or a line break in
 * it, whatever its quotes: there it begins anew. An apostrophe of the text's own gets another before it, so that none is lost.
 */
const UNMARKED = /^(?='*[=+\-@\t])|([;\t\n])(?=['" ]*[=+\-@])/g;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Returns a line of CSV (RFC 4180) with its line end. What a spreadsheet may take for the end of a cell is quoted. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join()}\r\n`;

const quoted = (cell: string): string => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Returns text as a cell, trimmed, with an apostrophe wherever a spreadsheet would take it for a formula. `readCsv` removes them. */
export function textCell(text: string): string {
  const value = text.trim().replace(/\r\n?/g, "\n");
  return NUMBER.test(value) ? value : value.replace(UNMARKED, "$1'");
}
