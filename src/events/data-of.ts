/** Event data that is one resource, `{ flight: … }`: its schema, and the SQL that builds it. */
import { eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import type { Fields, Resource, Shape } from "../storage/shape.ts";

type DataOf<Name extends string, F extends Fields> = { [N in Name]: Resource<Shape<F>> };

export interface ResourceData<Name extends string, F extends Fields, Id> {
  schema: z.ZodType<DataOf<Name, F>>;
  /** Returns SQL for the data of a row, as it is in the transaction. No code parses the JSON. */
  of(id: Id): SQL<DataOf<Name, F>>;
}

/** `dataOf("flight", publicFlight, flights)` */
export function dataOf<Name extends string, F extends Fields, T extends SQLiteTable & { id: SQLiteColumn }>(
  name: Name,
  { schema, json }: Shape<F>,
  table: T,
): ResourceData<Name, F, T["id"]["_"]["data"]> {
  // The cast names the one key, which the type of a computed key loses.
  const data: unknown = z.strictObject({ [name]: schema });
  return {
    schema: data as z.ZodType<DataOf<Name, F>>,
    of: (id) => sql`(select json_object(${sql.raw(`'${name}'`)}, ${json}) from ${table} where ${eq(table.id, id)})`,
  };
}
