/** A CSV file as spreadsheets save it: in the encoding of the system, with headings and values in the words of its user. */
import { csvLines } from "../../core/csv-lines.ts";
import { csvLine } from "../../core/csv-writing.ts";

/** How one column may be written. */
export interface ColumnWords {
  headings: readonly string[];
  /** For each value of the API, what may stand for it. */
  values?: Readonly<Record<string, readonly string[]>>;
}

/** By the columns of the API. */
export type Words = Readonly<Record<string, ColumnWords>>;

/**
 * UTF-8, UTF-16 with its mark (Excel's "Unicode text"), or else Windows-1252: Excel's "CSV" in Western Europe, in which no umlaut is
 * valid UTF-8.
 */
export function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

const folded = (written: string): string => written.trim().toLowerCase();

const among = (words: readonly string[], written: string): boolean =>
  words.some((word) => folded(word) === folded(written));

/** Returns a file as the API takes it, or as it is if it is so already, or can't be read. Each line keeps its number. */
export function inApiWords(content: string, words: Words): string {
  const [head, ...lines] = [...csvLines(content)].filter((line) => line !== undefined);
  if (!head) return content;
  const columns = head.cells.map(
    (heading) => Object.keys(words).find((column) => among(words[column]?.headings ?? [], heading)) ?? heading,
  );
  // A heading may be `constructor`, which every object has.
  const values = columns.map((column) =>
    Object.hasOwn(words, folded(column)) ? words[folded(column)]?.values : undefined,
  );
  const translated = [
    { line: head.line, cells: columns },
    ...lines.map(({ line, cells }) => ({ line, cells: cells.map((cell, at) => inApiValues(cell, values[at])) })),
  ];
  const isSame = [head, ...lines].every(({ cells }, at) => cells.join("\n") === translated[at]?.cells.join("\n"));
  if (isSame) return content;
  let written = "";
  let next = 1;
  for (const { line, cells } of translated) {
    const text = csvLine(cells);
    written += "\r\n".repeat(Math.max(0, line - next)) + text;
    next = Math.max(next, line) + text.split("\n").length - 1;
  }
  return written;
}

/** One value or several: `Fluglehrer, Pilot`. What is not known stays, and is found by the check. */
function inApiValues(cell: string, known: ColumnWords["values"]): string {
  if (known === undefined || cell === "") return cell;
  const one = (written: string) =>
    Object.keys(known).find((value) => among([value, ...(known[value] ?? [])], written)) ?? written.trim();
  return cell
    .split(/[|,;/]/)
    .map(one)
    .join("|");
}
