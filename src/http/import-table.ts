/** Reads CSV text as the fields of a resource: the first line names the fields, and each further line is one resource. */
import { z } from "zod";
import { yieldingEvery } from "../core/async.ts";
import { readCsv } from "../core/csv.ts";
import { Problem } from "../core/errors.ts";
import { Faults } from "../core/faults.ts";
import type { ImportLine } from "../core/imports.ts";
import { cellReader } from "./import-cell.ts";
import { readLine } from "./import-line.ts";
import { nearestName } from "./nearest-name.ts";
import { segment } from "./validation-issues.ts";

/** The most lines of an import, without the first. */
export const MAX_LINES = 5000;

export interface Columns<Given extends object> {
  /** An object with the fields that a column may have, all optional. */
  schema: z.ZodType<Given>;
  /** Fields of the resource that only Windsock sets. Their columns are left alone, so that a list can be imported again. */
  ignored: readonly string[];
}

export interface Table<Given> {
  lines: ImportLine<Given>[];
  faults: Faults;
  /** The columns that were left alone. */
  ignored: string[];
}

/** @throws PAYLOAD_TOO_LARGE too many lines */
export async function readTable<Given extends object>(
  text: string,
  { schema, ignored }: Columns<Given>,
): Promise<Table<Given>> {
  const { lines: all, fault } = await readCsv(text, { lines: MAX_LINES + 1 });
  if (all.length > MAX_LINES + 1)
    throw new Problem("PAYLOAD_TOO_LARGE", `The file has more than ${MAX_LINES} lines after the first.`);
  const [first, ...rest] = all;
  const names = (first?.cells ?? []).map((cell) => cell.toLowerCase());
  const faults = new Faults(names);
  const fields = fieldsOf(schema);
  const known = Object.keys(fields);
  if (first || !fault) checkNames(faults, first?.line ?? 1, { names, known, ignored });

  const readers = names.map((name) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field && cellReader(field);
  });
  const lines: ImportLine<Given>[] = [];
  const pause = yieldingEvery();
  for (const { line, cells } of rest) {
    await pause();
    if (cells.length < names.length || cells.slice(names.length).some((cell) => cell !== "")) {
      const message = `Has ${cells.length} values, but the first line names ${names.length} columns.`;
      faults.add(line, { path: "", code: "wrong_count", message });
      continue;
    }
    const raw: Record<string, unknown> = {};
    for (const [at, name] of names.entries()) {
      const [cell = "", reader] = [cells[at], readers[at]];
      if (reader && cell !== "") raw[name] = reader(cell);
    }
    lines.push(readCells(schema, raw, { line, faults }));
  }
  if (fault) faults.add(fault.line, { path: "", code: "invalid_csv", message: fault.message });
  return { lines, faults, ignored: names.filter((name) => ignored.includes(name)) };
}

/** Returns the line without the values that have faults, which are added to `faults`. */
function readCells<Given extends object>(
  schema: z.ZodType<Given>,
  raw: Readonly<Record<string, unknown>>,
  { line, faults }: { line: number; faults: Faults },
): ImportLine<Given> {
  const read = readLine(schema, raw);
  if ("value" in read) return { line, given: read.value, raw, faulty: [] };
  for (const issue of read.issues) faults.add(line, issue);
  const faulty = read.issues.map(({ path }) => path);
  const others = Object.fromEntries(Object.entries(raw).filter(([name]) => !faulty.includes(name)));
  return { line, given: schema.parse(others), raw: others, faulty };
}

/** Not in the type of the schema: to compare the types of twenty fields takes the compiler half a second. */
function fieldsOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  if (schema instanceof z.ZodObject) return schema.shape;
  throw new Error("The columns must be the fields of an object.");
}

interface Names {
  names: readonly string[];
  known: readonly string[];
  ignored: readonly string[];
}

function checkNames(faults: Faults, line: number, { names, known, ignored }: Names): void {
  if (names.length === 0) {
    faults.add(line, { path: "", code: "required", message: "The first line must name the columns." });
    return;
  }
  let list = ` The columns are: ${known.map((one) => `\`${one}\``).join(", ")}.`;
  for (const [at, name] of names.entries()) {
    const column = { path: segment(name), declared: "column" };
    if (names.indexOf(name) < at) faults.add(line, { ...column, code: "duplicate", message: "Is named twice." });
    else if (!known.includes(name) && !ignored.includes(name)) {
      const params = { nearest: nearestName(name, known) ?? null };
      faults.add(line, { ...column, code: "no_such_field", params, message: `${noSuchColumn(name, known)}${list}` });
      list = "";
    }
  }
}

function noSuchColumn(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const meant = nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`;
  return `There is no column \`${segment(name)}\`.${meant}`;
}
