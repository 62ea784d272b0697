/** Event data that is one resource, `{ flight: … }`: its schema, and the SQL that builds it. */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import type { Fields, Resource, Shape } from "../storage/shape.ts";
import type { Value } from "../storage/store.ts";
import { events } from "./events.tables.ts";

/** Data that SQLite makes of rows, as they are in the transaction. No code parses the JSON. */
export class StoredData<Data> {
  /** @param insert inserts an event with the data */
  constructor(
    readonly insert: SQL,
    readonly values: Record<string, Value>,
    readonly types?: Data,
  ) {}
}

/** @param json an SQL expression for the JSON, with a `sql.placeholder` for each of the values */
export function storedData<Data>(json: SQL<Data>): (values: Record<string, Value>) => StoredData<Data> {
  const insert = sql`insert into ${events} (id, type, occurred_at, data, traceparent)
    values (${sql.placeholder("event")}, ${sql.placeholder("type")}, ${sql.placeholder("now")}, ${json},
      ${sql.placeholder("traceparent")})`;
  return (values) => new StoredData(insert, values);
}

type DataOf<Name extends string, F extends Fields> = { [N in Name]: Resource<Shape<F>> };

export interface ResourceData<Name extends string, F extends Fields, Id> {
  schema: z.ZodType<DataOf<Name, F>>;
  /** Returns the data of a row. */
  of(id: Id): StoredData<DataOf<Name, F>>;
}

/** `dataOf("flight", publicFlight, flights)` */
export function dataOf<Name extends string, F extends Fields, T extends SQLiteTable & { id: SQLiteColumn }>(
  name: Name,
  { schema, json }: Shape<F>,
  table: T,
): ResourceData<Name, F, T["id"]["_"]["data"]> {
  // The cast names the one key, which the type of a computed key loses.
  const data: unknown = z.strictObject({ [name]: schema });
  const stored = storedData<DataOf<Name, F>>(sql`
    (select json_object(${sql.raw(`'${name}'`)}, ${json}) from ${table} where ${table.id} = ${sql.placeholder("resource")})`);
  return { schema: data as z.ZodType<DataOf<Name, F>>, of: (id) => stored({ resource: String(id) }) };
}
