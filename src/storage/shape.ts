/**
 * A shape declares a resource once: for each field the zod schema, which defines the OpenAPI document and the types, and the
 * SQL expression, which builds response bodies and event data. SQLite builds the JSON, several times faster than mapping rows
 * to objects and serializing them, and schema and data always match.
 */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { notFound } from "../core/errors.ts";
import { JsonOf } from "../core/json-of.ts";
import { once, onceRead } from "../core/once.ts";
import type { Kind, Reader, Value } from "./store.ts";

export interface Field<Schema extends z.core.$ZodType = z.core.$ZodType> {
  schema: Schema;
  value: SQLWrapper;
}

/** Returns a field: its schema, and the column or expression with its JSON value. */
export const field = <Schema extends z.core.$ZodType>(schema: Schema, value: SQLWrapper): Field<Schema> => ({
  schema,
  value,
});

/** As `field`, with a schema that is made when it is first read. */
export function lateField<Schema extends z.core.$ZodType>(make: () => Schema, value: SQLWrapper): Field<Schema> {
  const schema = once(make);
  return {
    get schema() {
      return schema();
    },
    value,
  };
}

/** Converts a boolean column to JSON's `true` and `false`: SQLite stores 1 and 0. */
export const bool = (value: SQLWrapper): SQL => sql`json(iif(${value}, 'true', 'false'))`;

/** Converts a column with JSON text to JSON. */
export const json = (value: SQLWrapper): SQL => sql`json(${value})`;

/** Returns a field with a list. @param source `from …`, of which `item` is made */
export const jsonList = <S extends z.core.$ZodType>(schema: S, item: SQL, source: SQL) =>
  field(z.array(schema), json(sql`(select json_group_array(${item}) ${source})`));

/** Converts integer hundredths to a decimal string with two places: 123456 becomes "1234.56". */
export const hundredths = (value: SQLWrapper): SQL =>
  sql`iif(${value} is null, null, printf('%d.%02d', ${value} / 100, ${value} % 100))`;

/** As `hundredths`, for a column that may be negative: -150 becomes "-1.50". */
export const signedHundredths = (value: SQLWrapper): SQL =>
  sql`iif(${value} is null, null, printf('%s%d.%02d', iif(${value} < 0, '-', ''), abs(${value}) / 100, abs(${value}) % 100))`;

/** Converts integer millionths to a decimal string with six places: -8640000 becomes "-8.640000". */
export const millionths = (value: SQLWrapper): SQL =>
  sql`iif(${value} is null, null, printf('%s%d.%06d', iif(${value} < 0, '-', ''), abs(${value}) / 1000000, abs(${value}) % 1000000))`;

export type Fields = Record<string, Field>;
type Schemas<F extends Fields> = { [Name in keyof F]: F[Name]["schema"] };

export interface Shape<F extends Fields> {
  fields: F;
  /** A strict schema, and a component of the document with the shape's name. */
  schema: z.ZodObject<Schemas<F>, z.core.$strict>;
  /** The SQL expression for the resource: one JSON object. */
  json: SQL<string>;
}

export type Resource<S extends Shape<Fields>> = z.infer<S["schema"]>;

/** @param name the component's name in the OpenAPI document */
export function shape<F extends Fields>(name: string, fields: F): Shape<F> {
  const { schema, json } = part(fields);
  return { fields, schema: schema.register(z.globalRegistry, { id: name }), json };
}

/** Returns some fields of a shape, in this order, for another one. */
export const fieldsOf = <F extends Fields, Name extends keyof F & string>(
  { fields }: Shape<F>,
  ...names: readonly Name[]
): Pick<F, Name> => Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<F, Name>;

/** Returns the shape of an object inside a resource, which has no name. */
export function part<F extends Fields>(fields: F): Shape<F> {
  const schemas = onceRead(fields, ({ schema }) => schema) as Schemas<F>;
  return { fields, schema: z.strictObject(schemas), json: jsonObject(fields) };
}

function jsonObject(fields: Fields): SQL<string> {
  const pairs = Object.entries(fields).map(([key, { value }]) => sql`${sql.raw(`'${key}'`)}, ${value}`);
  return asText(sql<string>`json_object(${sql.join(pairs, sql.raw(", "))})`);
}

const dialect = new SQLiteAsyncDialect();

/**
 * Compiles the expression once, when a statement first has it: for 30 fields, drizzle takes longer to build the text than SQLite
 * to build the resource, and a start would build those of all resources.
 */
export function asText<T>(expression: SQL<T>): SQL<T> {
  const chunks = once(() => {
    const { sql: text, params } = dialect.sqlToQuery(expression);
    return params.length === 0 ? [sql.raw(text)] : expression.queryChunks;
  });
  return Object.defineProperty(sql<T>``, "queryChunks", { get: chunks });
}

/** The source of a resource's rows: the table, and the joins for its fields. */
export interface Source {
  from: SQLWrapper;
  where?: SQL | undefined;
}

/**
 * Makes a query for one resource whose SQL is built once.
 *
 * @param source its `where` has a `sql.placeholder` for each of the values
 * @returns a query that throws NOT_FOUND when no row matches
 */
export function resourceBy<F extends Fields>({ json }: Shape<F>, { from, where }: Source) {
  const statement = sql`select ${json} from ${from} where ${where}`;
  return async <K extends Kind>(
    reader: Reader<K>,
    values: Record<string, Value>,
  ): Promise<JsonOf<Resource<Shape<F>>>> => {
    const row = await reader.first(statement, values);
    if (row === undefined) throw notFound();
    return new JsonOf(z.string().parse(row[0]));
  };
}

/** Returns one resource, for a condition that differs from call to call. @throws NOT_FOUND no row matches */
export async function resourceJson<F extends Fields, K extends Kind>(
  reader: Reader<K>,
  { json }: Shape<F>,
  { from, where }: Source,
): Promise<JsonOf<Resource<Shape<F>>>> {
  const filter = where ? sql`where ${where}` : sql``;
  const rows = await reader.values<[string]>(sql`select ${json} from ${from} ${filter} limit 1`);
  const text = rows[0]?.[0];
  if (text === undefined) throw notFound();
  return new JsonOf(text);
}

/** Returns one resource, parsed. @throws NOT_FOUND no row matches */
export const resource = async <F extends Fields, K extends Kind>(
  reader: Reader<K>,
  shape: Shape<F>,
  source: Source,
): Promise<Resource<Shape<F>>> => (await resourceJson(reader, shape, source)).value;
