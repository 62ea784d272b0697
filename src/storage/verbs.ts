/**
 * Verbs that add, change or remove one row. Each authorizes, then opens one transaction, which writes the row and the audit
 * row. A verb that does more is written as a function.
 */
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Actor, authorize } from "../core/actor.ts";
import type { Instant } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import type { JsonOf } from "../core/json-of.ts";
import type { Permission } from "../core/permissions.ts";
import type { TenantContext } from "./context.ts";
import { addRow, changeRow, removeRow } from "./entity.ts";
import type { RowEntity, WithId } from "./entity-of.ts";
import type { Fields, Resource, Shape } from "./shape.ts";
import type { Kind, OnlyColumns, Store, Tx } from "./store.ts";

type Stamped = WithId & { created_at: SQLiteColumn; updated_at: SQLiteColumn };
type IdOf<T extends WithId> = T["id"]["_"]["data"];
type Insert<T extends WithId> = T["$inferInsert"];
type Found<F extends Fields> = Promise<JsonOf<Resource<Shape<F>>>>;

interface Rules<T extends WithId, Input, K extends Kind> {
  permission: Permission;
  /** Checks what is in the control database, before the transaction. */
  before?: (context: TenantContext, input: Input) => Promise<void>;
  /** More work in the transaction, after the row was written: other tables, events. */
  also?: (tx: Tx<K>, id: IdOf<T>) => Promise<unknown>;
}

const writeIn = <K extends Kind, Result>(
  context: { [Database in Kind]: Store<Database> },
  database: K,
  body: (tx: Tx<K>) => Promise<Result>,
): Promise<Result> => context[database].write(body);

/** In the control database, members of the actor's organization may read the audit row. */
const readers = (database: Kind, actor: Actor) =>
  database === "control" && "orgId" in actor ? { orgId: actor.orgId } : {};

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

type AddRules<T extends WithId, Input, At, V, K extends Kind> = Rules<T, Input, K> &
  Named & {
    /** Checks the input and returns the row. @param at the ids in the path of the list */
    row: (tx: Tx<K>, fresh: Fresh<T>, input: Input, at: At) => Promise<OnlyColumns<V, Insert<T>> & { id: string }>;
  };

export const addVerb =
  <T extends Stamped, F extends Fields, Ref, Input, V extends Insert<T>, At = unknown, K extends Kind = "tenant">(
    entity: RowEntity<T, F, Ref, K>,
    { permission, action = "created", before, row, also }: AddRules<T, Input, At, V, K>,
  ) =>
  async (context: TenantContext, input: Input, at: At): Found<F> => {
    authorize(context.actor, permission);
    await before?.(context, input);
    const id: IdOf<T> = newId(context.clock);
    return writeIn(context, entity.database, async (tx) => {
      const stamps = { created_at: tx.now, updated_at: await entity.changeTime(tx) };
      const added = await row(tx, { id, ...stamps }, input, at);
      return addRow(tx, context, entity, {
        action: `${entity.kind}.${action}`,
        ...readers(entity.database, context.actor),
        row: added,
        also: async () => also?.(tx, id),
      });
    });
  };

type ChangeRules<T extends WithId, Input, V, K extends Kind> = Rules<T, Input, K> & {
  /** As `Named`, or decided by the row before the change. */
  action?: string | ((row: T["$inferSelect"], input: Input) => string);
  /** Checks the change and returns the columns to set, besides `updated_at`. */
  set: (tx: Tx<K>, row: T["$inferSelect"], input: Input, actor: Actor) => Promise<OnlyColumns<V, Insert<T>>>;
};

export const changeVerb =
  <T extends Stamped, F extends Fields, Ref, Input, V extends Partial<Insert<T>>, K extends Kind = "tenant">(
    entity: RowEntity<T, F, Ref, K>,
    { permission, action = "updated", before, set, also }: ChangeRules<T, Input, V, K>,
  ) =>
  async (context: TenantContext, input: Ref & Input): Found<F> => {
    authorize(context.actor, permission);
    await before?.(context, input);
    return writeIn(context, entity.database, async (tx) => {
      const row = await entity.row(tx, input);
      const columns = await set(tx, row, input, context.actor);
      return changeRow(tx, context, entity, {
        id: row.id,
        action: `${entity.kind}.${typeof action === "string" ? action : action(row, input)}`,
        ...readers(entity.database, context.actor),
        set: { updated_at: await entity.changeTime(tx), ...columns },
        also: async () => also?.(tx, row.id),
      });
    });
  };

export const removeVerb =
  <T extends WithId, F extends Fields, Ref, K extends Kind = "tenant">(
    entity: RowEntity<T, F, Ref, K>,
    { permission, action = "removed", before, also }: Rules<T, Ref, K> & Named,
  ) =>
  async (context: TenantContext, ref: Ref): Found<F> => {
    authorize(context.actor, permission);
    await before?.(context, ref);
    return writeIn(context, entity.database, async (tx) => {
      const { id } = await entity.row(tx, ref);
      return removeRow(tx, context, entity, {
        id,
        action: `${entity.kind}.${action}`,
        ...readers(entity.database, context.actor),
        also: async () => also?.(tx, id),
      });
    });
  };
