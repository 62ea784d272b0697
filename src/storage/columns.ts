/**
 * Fields that are columns, declared once: the request's schema also defines the response's schema, and the value comes
 * from the column of the same name.
 */
import type { SQLWrapper } from "drizzle-orm";
import { getTableColumns } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { issueCodes } from "../core/issues.ts";
import { onceRead } from "../core/once.ts";
import { bool, type Field, hundredths, json, lateField, millionths, shape } from "./shape.ts";

/** A field that the wire and the code represent differently: the schema of a request, and of a response. */
export interface Converted<In extends z.ZodType = z.ZodType, Out extends z.ZodType = z.ZodType> {
  in: In;
  out: Out;
  /** The representation in the column, where it differs from the response. */
  stored?: "hundredths" | "millionths";
}

/** A field as a module declares it: one schema, or one for each direction. */
export type Declared = z.ZodType | Converted;

type OutputOf<D extends Declared> = D extends Converted
  ? D["out"]
  : D extends z.ZodType
    ? z.ZodType<z.output<D>>
    : never;
type InputOf<D extends Declared> = D extends Converted ? D["in"] : D;

const isConverted = (declared: Declared): declared is Converted => "in" in declared && "out" in declared;

const inputOf = (declared: Declared): z.ZodType => (isConverted(declared) ? declared.in : declared);

type Inputs<F extends Record<string, Declared>> = { [Name in keyof F]: InputOf<F[Name]> };
type OptionalInputs<F extends Record<string, Declared>> = {
  [Name in keyof F]: InputOf<F[Name]> extends z.ZodType ? z.ZodExactOptional<InputOf<F[Name]>> : never;
};
type Defaulted<D> = D extends z.ZodNullable ? z.ZodDefault<D> : D;
type NewInputs<F extends Record<string, Declared>> = { [Name in keyof F]: Defaulted<InputOf<F[Name]>> };

/** Returns the schemas for a request's body. */
export const inputs = <F extends Record<string, Declared>>(fields: F): Inputs<F> => mapped(fields, inputOf);

/** Returns the schemas for a PATCH body: each field is optional, and `undefined` is not a value. */
export const optionalInputs = <F extends Record<string, Declared>>(fields: F): OptionalInputs<F> =>
  mapped(fields, (declared) => inputOf(declared).exactOptional());

/** Returns the body of a POST: all of the fields; one that may be null may be missing. @param id as for `changeOf` */
export const newOf = <F extends Record<string, Declared>>(
  id: string,
  fields: F,
): z.ZodObject<NewInputs<F>, z.core.$strict> => {
  const schemas: NewInputs<F> = mapped(fields, (declared: Declared) => {
    const schema = inputOf(declared);
    return schema instanceof z.ZodNullable ? schema.default(null) : schema;
  });
  return z.strictObject(schemas).register(z.globalRegistry, { id });
};

/** Returns the body of a PATCH: any of the fields, at least one. @param id the component's name in the document */
export const changeOf = <F extends Record<string, Declared>>(
  id: string,
  fields: F,
): z.ZodObject<OptionalInputs<F>, z.core.$strict> =>
  z
    .strictObject(optionalInputs(fields))
    .refine((change) => Object.keys(change).length > 0, issueCodes.nothing_to_change)
    .register(z.globalRegistry, { id, description: "Changes the given fields; null clears a field." });

/** Returns the schemas with a default for fields that the request omits. */
export const byDefault = <F extends Record<string, z.ZodType>>(
  value: z.output<F[string]>,
  schemas: F,
): { [Name in keyof F]: z.ZodDefault<F[Name]> } => mapped(schemas, (schema) => schema.default(value));

/** Returns the fields of a shape, each from the table's column of the same name. */
export function columns<T extends SQLiteTable, F extends { [Name in keyof T["_"]["columns"]]?: Declared }>(
  table: T,
  fields: F & Record<Exclude<keyof F, keyof T["_"]["columns"]>, never>,
): { [Name in keyof F]: Field<F[Name] extends Declared ? OutputOf<F[Name]> : never> } {
  const all: Record<string, SQLiteColumn> = getTableColumns(table);
  return mapped(fields, (declared: Declared, name) => {
    const column = all[name];
    if (column === undefined) throw new Error(`There is no column ${name}.`);
    return lateField(() => outputOf(declared), storedValue(column, declared));
  });
}

/** Returns the shape of a resource whose fields are columns of one table. @param name the component's name in the document */
export const rowShape = <T extends SQLiteTable, F extends { [Name in keyof T["_"]["columns"]]?: Declared }>(
  name: string,
  table: T,
  fields: F & Record<Exclude<keyof F, keyof T["_"]["columns"]>, never>,
) => shape(name, columns(table, fields));

function storedValue(column: SQLiteColumn, declared: Declared): SQLWrapper {
  if (isConverted(declared) && declared.stored === "hundredths") return hundredths(column);
  if (isConverted(declared) && declared.stored === "millionths") return millionths(column);
  if (column.dataType === "boolean") return bool(column);
  if (column.dataType === "json") return json(column);
  return column;
}

const [anyString, anyInteger, anyNumber] = [z.string(), z.int(), z.number()];

/** Returns the response's schema: the type without the rules for input, so stored rows stay valid when a rule changes. */
function outputOf(declared: Declared): z.ZodType {
  if (isConverted(declared)) return declared.out;
  return withMetaOf(declared, relaxed(declared));
}

function relaxed(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) {
    const inner = zod(schema.unwrap());
    const shown = relaxed(inner);
    return shown === inner ? schema : withMetaOf(inner, shown.nullable());
  }
  if (schema instanceof z.ZodArray) return z.array(outputOf(zod(schema.element)));
  if (schema instanceof z.ZodString) return schema.meta()?.format === undefined ? anyString : schema;
  if (schema instanceof z.ZodNumber) return schema.isInt ? anyInteger : anyNumber;
  return schema;
}

/** Copies description and examples from one schema to the other. */
function withMetaOf(from: z.ZodType, to: z.ZodType): z.ZodType {
  const meta = from.meta();
  return meta === undefined || to === from ? to : to.meta(meta);
}

function zod(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new Error("A field's schema must be a zod schema.");
}

/**
 * Maps the values of a record and keeps its names, which the type of `onceRead` loses. Each schema is made when it is first read: a
 * start declares thousands, and a request needs those of one route.
 */
function mapped<D, Result>(fields: Record<string, D>, map: (declared: D, name: string) => unknown): Result {
  return onceRead(fields, map) as Result;
}
