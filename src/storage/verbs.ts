/**
 * Verbs that add, change or remove one row. Each authorizes, then opens one transaction, which writes the row and the audit
 * row. A verb that does more is written as a function.
 */
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { authorize } from "../core/actor.ts";
import type { Instant } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import type { JsonOf } from "../core/json-of.ts";
import type { Permission } from "../core/permissions.ts";
import type { TenantContext } from "./context.ts";
import { addRow, changeRow, removeRow } from "./entity.ts";
import type { RowEntity, WithId } from "./entity-of.ts";
import type { Fields, Resource, Shape } from "./shape.ts";
import type { OnlyColumns, Tx } from "./store.ts";

type Stamped = WithId & { created_at: SQLiteColumn; updated_at: SQLiteColumn };
type TenantTx = Tx<"tenant">;
type IdOf<T extends WithId> = T["id"]["_"]["data"];
type Insert<T extends WithId> = T["$inferInsert"];
type Found<F extends Fields> = Promise<JsonOf<Resource<Shape<F>>>>;

interface Rules<T extends WithId, Input> {
  permission: Permission;
  /** Checks what is in the control database, before the transaction. */
  before?: (context: TenantContext, input: Input) => Promise<void>;
  /** More work in the transaction, after the row was written: other tables, events. */
  also?: (tx: TenantTx, id: IdOf<T>) => Promise<unknown>;
}

/** The columns that a new row gets anyway. */
interface Fresh<T extends WithId> {
  id: IdOf<T>;
  created_at: Instant;
  updated_at: Instant;
}

/** The action in the audit log, after the entity's kind; by default `created`, `updated` or `removed`. */
interface Named {
  action?: string;
}

type AddRules<T extends WithId, Input, At, V> = Rules<T, Input> &
  Named & {
    /** Checks the input and returns the row. @param at the ids in the path of the list */
    row: (tx: TenantTx, fresh: Fresh<T>, input: Input, at: At) => Promise<OnlyColumns<V, Insert<T>> & { id: string }>;
  };

export const addVerb =
  <T extends Stamped, F extends Fields, Ref, Input, V extends Insert<T>, At = unknown>(
    entity: RowEntity<T, F, Ref>,
    { permission, action = "created", before, row, also }: AddRules<T, Input, At, V>,
  ) =>
  async (context: TenantContext, input: Input, at: At): Found<F> => {
    authorize(context.actor, permission);
    await before?.(context, input);
    const id: IdOf<T> = newId(context.clock);
    return context.tenant.write(async (tx) => {
      const stamps = { created_at: tx.now, updated_at: await entity.changeTime(tx) };
      const added = await row(tx, { id, ...stamps }, input, at);
      return addRow(tx, context, entity, {
        action: `${entity.kind}.${action}`,
        row: added,
        also: async () => also?.(tx, id),
      });
    });
  };

type ChangeRules<T extends WithId, Input, V> = Rules<T, Input> & {
  /** As `Named`, or decided by the row before the change. */
  action?: string | ((row: T["$inferSelect"], input: Input) => string);
  /** Checks the change and returns the columns to set, besides `updated_at`. */
  set: (tx: TenantTx, row: T["$inferSelect"], input: Input) => Promise<OnlyColumns<V, Insert<T>>>;
};

export const changeVerb =
  <T extends Stamped, F extends Fields, Ref, Input, V extends Partial<Insert<T>>>(
    entity: RowEntity<T, F, Ref>,
    { permission, action = "updated", before, set, also }: ChangeRules<T, Input, V>,
  ) =>
  async (context: TenantContext, input: Ref & Input): Found<F> => {
    authorize(context.actor, permission);
    await before?.(context, input);
    return context.tenant.write(async (tx) => {
      const row = await entity.row(tx, input);
      const columns = await set(tx, row, input);
      return changeRow(tx, context, entity, {
        id: row.id,
        action: `${entity.kind}.${typeof action === "string" ? action : action(row, input)}`,
        set: { updated_at: await entity.changeTime(tx), ...columns },
        also: async () => also?.(tx, row.id),
      });
    });
  };

export const removeVerb =
  <T extends WithId, F extends Fields, Ref>(
    entity: RowEntity<T, F, Ref>,
    { permission, action = "removed", before, also }: Rules<T, Ref> & Named,
  ) =>
  async (context: TenantContext, ref: Ref): Found<F> => {
    authorize(context.actor, permission);
    await before?.(context, ref);
    return context.tenant.write(async (tx) => {
      const { id } = await entity.row(tx, ref);
      return removeRow(tx, context, entity, {
        id,
        action: `${entity.kind}.${action}`,
        also: async () => also?.(tx, id),
      });
    });
  };
