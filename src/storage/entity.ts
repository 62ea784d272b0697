/** Writes of verbs: insert, update or delete a row, and write the audit row with the resource before and after. */
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import { audit, lastRowIn } from "./audit.ts";
import type { By } from "./context.ts";
import { insertRow } from "./insert-row.ts";
import { keepWords, type Searchable } from "./search-words.ts";
import type { Kind, OnlyColumns, Reader, Tx } from "./store.ts";
import { deleteRow, updateRow } from "./update-row.ts";

/** A table whose rows are resources of the API. */
export interface Entity<K extends Kind, T extends SQLiteTable & { id: SQLiteColumn }, Resource> {
  /** Its kind in the audit log. */
  kind: string;
  table: T;
  /**
   * Of a resource with a list of changes, see `changes.ts`: returns the `updated_at` of a change, which every write of the row
   * sets. Without it, the writers set their columns themselves.
   */
  stamp?: ((tx: Tx<K>) => Promise<Instant>) | undefined;
  /** Of a resource that is found by its words. */
  words?: Searchable | undefined;
  /** Returns the resource for the audit log and the response. @throws NOT_FOUND */
  read(reader: Reader<K>, id: T["id"]["_"]["data"]): Promise<Resource>;
}

interface Action {
  /** The action in the audit log: `aircraft.created`. */
  action: string;
  /** In the control database: the organization whose members may read the audit row. */
  orgId?: OrgId;
  /** Writes the parts of the resource that are in other tables. */
  also?: () => Promise<unknown>;
}

/** Inserts a row. @returns the resource */
export async function addRow<
  K extends Kind,
  T extends SQLiteTable & { id: SQLiteColumn },
  R,
  V extends T["$inferInsert"],
>(
  tx: Tx<K>,
  by: By,
  { kind, table, read, stamp, words }: Entity<K, T, R>,
  { action, row, also, ...orgId }: Action & { row: OnlyColumns<V, T["$inferInsert"]> & { id: string } },
): Promise<R> {
  await insertRow(tx, table, await stamped(tx, stamp, row));
  await also?.();
  if (words) await keepWords(tx, words, [row.id]);
  const [after] = await Promise.all([read(tx, row.id), lastRowIn(tx)]);
  await audit(tx, by, action, { subject: { kind, id: row.id }, ...orgId, after });
  return after;
}

/**
 * Reads what `changeRow` needs before it writes, for a caller who reads something else at the same time.
 *
 * @returns the resource, to be passed on as `before` @throws NOT_FOUND
 */
export async function beforeChange<K extends Kind, T extends SQLiteTable & { id: SQLiteColumn }, R>(
  tx: Tx<K>,
  { read, stamp }: Entity<K, T, R>,
  id: string,
): Promise<R> {
  const [before] = await Promise.all([read(tx, id), stamp?.(tx)]);
  return before;
}

/**
 * Updates the columns in `set`; an undefined column keeps its value.
 *
 * @param before the resource, if it was read in this transaction (`beforeChange`) and has not changed since
 * @returns the updated resource @throws NOT_FOUND
 */
export async function changeRow<
  K extends Kind,
  T extends SQLiteTable & { id: SQLiteColumn },
  R,
  V extends Partial<T["$inferInsert"]>,
>(
  tx: Tx<K>,
  by: By,
  { kind, table, read, stamp, words }: Entity<K, T, R>,
  {
    id,
    action,
    set,
    before: known,
    also,
    ...orgId
  }: Action & { id: string; set: OnlyColumns<V, T["$inferInsert"]>; before?: R },
): Promise<R> {
  const [before, values] = await Promise.all([known ?? read(tx, id), stamped(tx, stamp, set)]);
  await updateRow(tx, table, id, values);
  await also?.();
  if (words) await keepWords(tx, words, [id]);
  const [after] = await Promise.all([read(tx, id), lastRowIn(tx)]);
  await audit(tx, by, action, { subject: { kind, id }, ...orgId, before, after });
  return after;
}

/** Deletes a row. @returns the resource as it was @throws NOT_FOUND */
export async function removeRow<K extends Kind, T extends SQLiteTable & { id: SQLiteColumn }, R>(
  tx: Tx<K>,
  by: By,
  { kind, table, read, words }: Entity<K, T, R>,
  { id, action, also, ...orgId }: Action & { id: string },
): Promise<R> {
  const before = await read(tx, id);
  await also?.();
  await deleteRow(tx, table, id);
  if (words) await keepWords(tx, words, [id]);
  await audit(tx, by, action, { subject: { kind, id }, ...orgId, before });
  return before;
}

const stamped = async <K extends Kind, V extends object>(
  tx: Tx<K>,
  stamp: ((tx: Tx<K>) => Promise<Instant>) | undefined,
  values: V,
): Promise<V> => (stamp ? Object.assign({}, values, { updated_at: await stamp(tx) }) : values);
