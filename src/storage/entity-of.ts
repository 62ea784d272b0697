/** A resource that is a row of one table: its reads by the ids of its path. */
import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import { notFound } from "../core/errors.ts";
import type { JsonOf } from "../core/json-of.ts";
import type { Entity } from "./entity.ts";
import { lookUp } from "./lookup.ts";
import { type Fields, type Resource, resourceBy, type Shape } from "./shape.ts";
import type { Reader, Tx } from "./store.ts";

type TenantReader = Reader<"tenant">;
export type WithId = SQLiteTable & { id: SQLiteColumn };

/** @typeParam Ref the ids in its path: `{ aircraftId, documentId }` */
export interface RowEntity<T extends WithId, F extends Fields, Ref>
  extends Entity<"tenant", T, JsonOf<Resource<Shape<F>>>> {
  shape: Shape<F>;
  /** @throws NOT_FOUND */
  find(reader: TenantReader, ref: Ref): Promise<JsonOf<Resource<Shape<F>>>>;
  /** Returns the row, for verbs that decide by it. @throws NOT_FOUND */
  row(reader: TenantReader, ref: Ref): Promise<T["$inferSelect"]>;
  /** Returns the `updated_at` of a change. */
  changeTime(tx: Tx<"tenant">): Promise<Instant>;
}

interface Parts<T, F extends Fields, Ids> {
  table: T;
  shape: Shape<F>;
  /** The columns of the ids in its path: `{ aircraftId: documents.aircraft_id, documentId: documents.id }`. */
  path: Ids;
  /** Of a resource with a list of changes: see `changes.ts`. By default the time of the transaction. */
  changeTime?: (tx: Tx<"tenant">) => Promise<Instant>;
}

/** @param kind its kind in the audit log */
export function entityOf<T extends WithId, F extends Fields, Ids extends Record<string, SQLiteColumn>>(
  kind: string,
  { table, shape, path, changeTime = async ({ now }) => now }: Parts<T, F, Ids>,
): RowEntity<T, F, { [Name in keyof Ids]: Ids[Name]["_"]["data"] }> {
  type Row = T["$inferSelect"];
  type Ref = { [Name in keyof Ids]: Ids[Name]["_"]["data"] };
  const isIt = and(...Object.entries(path).map(([name, column]) => eq(column, sql.placeholder(name))));
  const byId = resourceBy(shape, { from: table, where: eq(table.id, sql.placeholder("id")) });
  const byRef = resourceBy(shape, { from: table, where: isIt });
  const rowByRef = lookUp(getTableColumns(table), sql`from ${table} where ${isIt}`);
  const idsOf = (ref: Ref) => Object.fromEntries(Object.keys(path).map((name) => [name, String(ref[name])]));
  return {
    kind,
    table,
    shape,
    changeTime,
    read: (reader, id) => byId(reader, { id: String(id) }),
    find: (reader, ref) => byRef(reader, idsOf(ref)),
    async row(reader, ref): Promise<Row> {
      const row = await rowByRef(reader, idsOf(ref));
      if (row === undefined) throw notFound();
      return row;
    },
  };
}
