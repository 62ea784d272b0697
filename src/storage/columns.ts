/**
 * Fields that are columns, declared once: the schema that a request's body is checked with also gives the response's
 * schema, and the column of the same name gives the value.
 */
import type { SQLWrapper } from "drizzle-orm";
import { getTableColumns } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { bool, type Field, hundredths, json } from "./shape.ts";

/** A field whose form on the wire is not the one in the code: what a request carries, and what a response shows. */
export interface Converted<In extends z.ZodType = z.ZodType, Out extends z.ZodType = z.ZodType> {
  in: In;
  out: Out;
  /** What the column holds, where that is not the form in the response. */
  stored?: "hundredths";
}

/** A field as its module declares it: one schema, or one for each direction. */
export type Declared = z.ZodType | Converted;

type OutputOf<D extends Declared> = D extends Converted
  ? D["out"]
  : D extends z.ZodType
    ? z.ZodType<z.output<D>>
    : never;
type InputOf<D extends Declared> = D extends Converted ? D["in"] : D;

const isConverted = (declared: Declared): declared is Converted => "in" in declared && "out" in declared;

/** The schemas for a request's body. */
export const inputs = <F extends Record<string, Declared>>(fields: F): { [Name in keyof F]: InputOf<F[Name]> } =>
  mapped(fields, (declared) => (isConverted(declared) ? declared.in : declared));

/** The same, each of them optional: what a change may name. A field that is named has a value. */
export const optionalInputs = <F extends Record<string, Declared>>(
  fields: F,
): { [Name in keyof F]: InputOf<F[Name]> extends z.ZodType ? z.ZodExactOptional<InputOf<F[Name]>> : never } =>
  mapped(fields, (declared) => (isConverted(declared) ? declared.in : declared).exactOptional());

/** The same schemas, each with this value where a request leaves the field out. */
export const byDefault = <F extends Record<string, z.ZodType>>(
  value: z.output<F[string]>,
  schemas: F,
): { [Name in keyof F]: z.ZodDefault<F[Name]> } => mapped(schemas, (schema) => schema.default(value));

/** The fields of a shape, each from the table's column of the same name. */
export function columns<T extends SQLiteTable, F extends { [Name in keyof T["_"]["columns"]]?: Declared }>(
  table: T,
  fields: F & Record<Exclude<keyof F, keyof T["_"]["columns"]>, never>,
): { [Name in keyof F]: Field<F[Name] extends Declared ? OutputOf<F[Name]> : never> } {
  const all: Record<string, SQLiteColumn> = getTableColumns(table);
  return mapped(fields, (declared: Declared, name) => {
    const column = all[name];
    if (column === undefined) throw new Error(`There is no column ${name}.`);
    return { schema: outputOf(declared), value: storedValue(column, declared) };
  });
}

function storedValue(column: SQLiteColumn, declared: Declared): SQLWrapper {
  if (isConverted(declared) && declared.stored === "hundredths") return hundredths(column);
  if (column.dataType === "boolean") return bool(column);
  if (column.dataType === "json") return json(column);
  return column;
}

/**
 * What a response shows: the type, without the rules that only input is held to. A rule that becomes stricter later does
 * not turn what is stored into an error.
 */
function outputOf(declared: Declared): z.ZodType {
  if (isConverted(declared)) return declared.out;
  return about(relaxed(declared), declared);
}

function relaxed(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) {
    const inner = zod(schema.unwrap());
    const shown = relaxed(inner);
    return shown === inner ? schema : about(shown.nullable(), inner);
  }
  if (schema instanceof z.ZodArray) return z.array(outputOf(zod(schema.element)));
  if (schema instanceof z.ZodString) return schema.meta()?.format === undefined ? z.string() : schema;
  if (schema instanceof z.ZodNumber) return schema.isInt ? z.int() : z.number();
  return schema;
}

/** The schema with what the other one says about itself: description and examples. */
function about(schema: z.ZodType, other: z.ZodType): z.ZodType {
  const meta = other.meta();
  return meta === undefined || schema === other ? schema : schema.meta(meta);
}

function zod(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new Error("A field is made of zod's own schemas.");
}

/** Maps the values of a record; the names stay, which `Object.fromEntries` does not tell the compiler. */
function mapped<D, Result>(fields: Record<string, D>, map: (declared: D, name: string) => unknown): Result {
  return Object.fromEntries(Object.entries(fields).map(([name, declared]) => [name, map(declared, name)])) as Result;
}
