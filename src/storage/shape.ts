/**
 * What a resource looks like from outside, declared once: for each field its zod schema, which the OpenAPI document and
 * the types come from, and the SQL that makes it, which bodies and event data come from. SQLite builds the JSON itself,
 * several times faster than rows turned into objects and serialized again, and the two can't drift apart.
 */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { notFound } from "../core/errors.ts";
import { JsonOf } from "../core/json-of.ts";
import type { Kind, Reader, Value } from "./store.ts";

export interface Field<Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  value: SQLWrapper;
}

/** One field: its schema, and the column or expression that holds it in the form it has in JSON. */
export const field = <Schema extends z.ZodType>(schema: Schema, value: SQLWrapper): Field<Schema> => ({
  schema,
  value,
});

/** A boolean column as JSON's `true` and `false`: SQLite itself has only 1 and 0. */
export const bool = (value: SQLWrapper): SQL => sql`json(iif(${value}, 'true', 'false'))`;

/** A column that holds JSON text, as JSON. */
export const json = (value: SQLWrapper): SQL => sql`json(${value})`;

/** Integer hundredths as a decimal string with two places: 123456 is "1234.56". */
export const hundredths = (value: SQLWrapper): SQL =>
  sql`iif(${value} is null, null, printf('%d.%02d', ${value} / 100, ${value} % 100))`;

export type Fields = Record<string, Field>;
type Schemas<F extends Fields> = { [Name in keyof F]: F[Name]["schema"] };

export interface Shape<F extends Fields> {
  fields: F;
  /** The resource as zod sees it; strict, and a component of the document under the shape's name. */
  schema: z.ZodObject<Schemas<F>, z.core.$strict>;
  /** The resource as SQLite makes it: one JSON object. */
  json: SQL<string>;
}

export type Resource<S extends Shape<Fields>> = z.infer<S["schema"]>;

/** @param name the component's name in the OpenAPI document */
export function shape<F extends Fields>(name: string, fields: F): Shape<F> {
  const { schema, json } = part(fields);
  return { fields, schema: schema.meta({ id: name }), json };
}

/** An object inside a resource: a shape without a name of its own. */
export function part<F extends Fields>(fields: F): Shape<F> {
  const schemas = Object.fromEntries(Object.entries(fields).map(([key, { schema }]) => [key, schema])) as Schemas<F>;
  return { fields, schema: z.strictObject(schemas), json: jsonObject(fields) };
}

function jsonObject(fields: Fields): SQL<string> {
  const pairs = Object.entries(fields).map(([key, { value }]) => sql`${sql.raw(`'${key}'`)}, ${value}`);
  return asText(sql<string>`json_object(${sql.join(pairs, sql.raw(", "))})`);
}

const dialect = new SQLiteAsyncDialect();

/** Compiled once: with 30 fields, drizzle takes longer to put the text together than SQLite to make the resource. */
function asText(expression: SQL<string>): SQL<string> {
  const { sql: text, params } = dialect.sqlToQuery(expression);
  return params.length === 0 ? sql<string>`${sql.raw(text)}` : expression;
}

/** Where a resource's rows come from: the table, and the joins its fields need. */
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

/** One resource, for a condition that differs from call to call. @throws NOT_FOUND when no row matches */
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

/** As `resourceJson`, parsed. */
export const resource = async <F extends Fields, K extends Kind>(
  reader: Reader<K>,
  shape: Shape<F>,
  source: Source,
): Promise<Resource<Shape<F>>> => (await resourceJson(reader, shape, source)).value;
