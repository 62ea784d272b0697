/** The moves that every verb makes on a row: write it, and leave the audit row that shows it before and after. */
import { eq } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { OrgId } from "../core/ids.ts";
import type { JsonOf } from "../core/json-of.ts";
import { audit } from "./audit.ts";
import type { Context } from "./context.ts";
import { insertRow } from "./insert-row.ts";
import type { Kind, OnlyColumns, Reader, Tx } from "./store.ts";

/** A table whose rows are resources of the API. */
export interface Entity<K extends Kind, T extends SQLiteTable & { id: SQLiteColumn }, Resource> {
  /** What the audit log calls it. */
  kind: string;
  table: T;
  /** The resource as the audit log and the answer show it. @throws NOT_FOUND */
  read(reader: Reader<K>, id: T["id"]["_"]["data"]): Promise<JsonOf<Resource>>;
}

type By = Pick<Context, "actor" | "requestId">;

interface Action {
  /** As in the audit log: `aircraft.created`. */
  action: string;
  /** In the control database, whose members may read the audit row. */
  orgId?: OrgId;
  /** Writes what belongs to the resource and has tables of its own. */
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
  { kind, table, read }: Entity<K, T, R>,
  { action, row, also, ...orgId }: Action & { row: OnlyColumns<V, T["$inferInsert"]> & { id: string } },
): Promise<JsonOf<R>> {
  await insertRow(tx, table, row);
  await also?.();
  const after = await read(tx, row.id);
  await audit(tx, by, action, { subject: { kind, id: row.id }, ...orgId, after });
  return after;
}

/** Updates the columns given; one that is undefined stays. @returns the resource as it is now @throws NOT_FOUND */
export async function changeRow<
  K extends Kind,
  T extends SQLiteTable & { id: SQLiteColumn },
  R,
  V extends SQLiteUpdateSetSource<T>,
>(
  tx: Tx<K>,
  by: By,
  { kind, table, read }: Entity<K, T, R>,
  { id, action, set, also, ...orgId }: Action & { id: string; set: OnlyColumns<V, T["$inferInsert"]> },
): Promise<JsonOf<R>> {
  const before = await read(tx, id);
  await tx.update(table).set(set).where(eq(table.id, id));
  await also?.();
  const after = await read(tx, id);
  await audit(tx, by, action, { subject: { kind, id }, ...orgId, before, after });
  return after;
}
