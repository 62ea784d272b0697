/** Reads a cell as the JSON value of a field. What can't be read stays text, which the field's schema then rejects. */
import { z } from "zod";

/** Between the entries of a list. A space or a comma may be in an entry. */
export const LIST_SEPARATOR = "|";

type CellReader = (cell: string) => unknown;

export function cellReader(field: z.ZodType): CellReader {
  const schema = inside(field);
  if (schema instanceof z.ZodArray) return entries;
  if (schema instanceof z.ZodBoolean) return truth;
  if (schema instanceof z.ZodNumber) return number;
  return (cell) => cell;
}

/** More than any list may have, so the schema rejects a list that is cut here. */
const MAX_ENTRIES = 500;

const entries: CellReader = (cell) =>
  cell
    .split(LIST_SEPARATOR)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .slice(0, MAX_ENTRIES);

/** Spreadsheets write TRUE. */
const truth: CellReader = (cell) => ({ true: true, false: false })[cell.toLowerCase()] ?? cell;

const number: CellReader = (cell) => (/^-?\d{1,15}$/.test(cell) ? Number(cell) : cell);

/** Returns the schema without what allows null or nothing. */
function inside(schema: unknown): unknown {
  const isWrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return isWrapped ? inside(schema.unwrap()) : schema;
}
