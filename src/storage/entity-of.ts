/** A resource that is a row of one table: its reads by the ids of its path. */
import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import { notFound } from "../core/errors.ts";
import type { JsonOf } from "../core/json-of.ts";
import type { Entity } from "./entity.ts";
import { lookUp } from "./lookup.ts";
import type { Searchable } from "./search-words.ts";
import { type Fields, type Resource, resourceBy, type Shape } from "./shape.ts";
import type { Kind, Reader, Tx } from "./store.ts";

export type WithId = SQLiteTable & { id: SQLiteColumn };

/** @typeParam Ref the ids in its path: `{ aircraftId, documentId }`; in the control database with `orgId` */
export interface RowEntity<T extends WithId, F extends Fields, Ref, K extends Kind = "tenant">
  extends Entity<K, T, JsonOf<Resource<Shape<F>>>> {
  database: K;
  shape: Shape<F>;
  /** @throws NOT_FOUND */
  find(reader: Reader<K>, ref: Ref): Promise<JsonOf<Resource<Shape<F>>>>;
  /** Returns the row, for verbs that decide by it. @throws NOT_FOUND */
  row(reader: Reader<K>, ref: Ref): Promise<T["$inferSelect"]>;
  /** Returns the `updated_at` of a change. */
  changeTime(tx: Tx<K>): Promise<Instant>;
}

interface Parts<T, F extends Fields, Ids, K extends Kind> {
  /** By default the organization's own. */
  database?: K;
  table: T;
  shape: Shape<F>;
  /** The columns of the ids in its path: `{ aircraftId: documents.aircraft_id, documentId: documents.id }`. */
  path: Ids;
  /** Of a resource with a list of changes: see `changes.ts`. By default the time of the transaction. */
  changeTime?: (tx: Tx<NoInfer<K>>) => Promise<Instant>;
  /** Of a resource that is found by its words: see `search-words.ts`. */
  words?: Searchable;
}

/** @param kind its kind in the audit log */
export function entityOf<
  T extends WithId,
  F extends Fields,
  Ids extends Record<string, SQLiteColumn>,
  K extends Kind = "tenant",
>(
  kind: string,
  { database = "tenant" as K, table, shape, path, changeTime, words }: Parts<T, F, Ids, K>,
): RowEntity<T, F, { [Name in keyof Ids]: Ids[Name]["_"]["data"] }, K> {
  type Row = T["$inferSelect"];
  type Ref = { [Name in keyof Ids]: Ids[Name]["_"]["data"] };
  const isIt = and(...Object.entries(path).map(([name, column]) => eq(column, sql.placeholder(name))));
  const byId = resourceBy(shape, { from: table, where: eq(table.id, sql.placeholder("id")) });
  const byRef = resourceBy(shape, { from: table, where: isIt });
  const rowByRef = lookUp(getTableColumns(table), sql`from ${table} where ${isIt}`);
  const idsOf = (ref: Ref) => Object.fromEntries(Object.keys(path).map((name) => [name, String(ref[name])]));
  return {
    kind,
    database,
    table,
    shape,
    stamp: changeTime,
    words,
    changeTime: changeTime ?? (async ({ now }) => now),
    read: (reader, id) => byId(reader, { id: String(id) }),
    find: (reader, ref) => byRef(reader, idsOf(ref)),
    async row(reader, ref): Promise<Row> {
      const row = await rowByRef(reader, idsOf(ref));
      if (row === undefined) throw notFound();
      return row;
    },
  };
}
