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

interface Rules<Input, Read> {
  permission: Permission;
  /**
   * Checks and reads what is in the control database, before the transaction: it can't be open meanwhile. What it returns, such as
   * the organization's currency or the account of the actor, is the last argument of the others.
   */
  before?: (context: TenantContext, input: Input) => Promise<Read>;
}

interface Writes<T extends WithId, Input, K extends Kind, Read> extends Rules<Input, Read> {
  /** More work in the transaction, after the row was written: other tables, events. */
  also?: (tx: Tx<K>, id: IdOf<T>, read: NoInfer<Read>) => Promise<unknown>;
}

/** Without `before`, nothing is read, and `Read` is unknown. */
const readBefore = async <Input, Read>(
  { before }: Pick<Rules<Input, Read>, "before">,
  context: TenantContext,
  input: Input,
): Promise<Read> => (await before?.(context, input)) as Read;

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

type AddRules<T extends WithId, Input, At, V, K extends Kind, Read> = Writes<T, Input, K, Read> &
  Named & {
    /** Checks the input and returns the row. @param at the ids in the path of the list */
    row: (
      tx: Tx<K>,
      fresh: Fresh<T>,
      input: Input,
      at: At,
      read: NoInfer<Read>,
    ) => Promise<OnlyColumns<V, Insert<T>> & { id: string }>;
  };

export const addVerb =
  <
    T extends Stamped,
    F extends Fields,
    Ref,
    Input,
    V extends Insert<T>,
    At = unknown,
    K extends Kind = "tenant",
    Read = unknown,
  >(
    entity: RowEntity<T, F, Ref, K>,
    { permission, action = "created", row, also, ...rules }: AddRules<T, Input, At, V, K, Read>,
  ) =>
  async (context: TenantContext, input: Input, at: At): Found<F> => {
    authorize(context.actor, permission);
    const read = await readBefore(rules, context, input);
    const id: IdOf<T> = newId(context.clock);
    return writeIn(context, entity.database, async (tx) => {
      const stamps = { created_at: tx.now, updated_at: await entity.changeTime(tx) };
      const added = await row(tx, { id, ...stamps }, input, at, read);
      return addRow(tx, context, entity, {
        action: `${entity.kind}.${action}`,
        ...readers(entity.database, context.actor),
        row: added,
        also: async () => also?.(tx, id, read),
      });
    });
  };

type ChangeRules<T extends WithId, Input, V, K extends Kind, Read> = Writes<T, Input, K, Read> & {
  /** As `Named`, or decided by the row before the change. */
  action?: string | ((row: T["$inferSelect"], input: Input) => string);
  /** Checks the change and returns the columns to set, besides `updated_at`. */
  set: (
    tx: Tx<K>,
    row: T["$inferSelect"],
    input: Input,
    actor: Actor,
    read: NoInfer<Read>,
  ) => Promise<OnlyColumns<V, Insert<T>>>;
};

export const changeVerb =
  <
    T extends Stamped,
    F extends Fields,
    Ref,
    Input,
    V extends Partial<Insert<T>>,
    K extends Kind = "tenant",
    Read = unknown,
  >(
    entity: RowEntity<T, F, Ref, K>,
    { permission, action = "updated", set, also, ...rules }: ChangeRules<T, Input, V, K, Read>,
  ) =>
  async (context: TenantContext, input: Ref & Input): Found<F> => {
    authorize(context.actor, permission);
    const read = await readBefore(rules, context, input);
    return writeIn(context, entity.database, async (tx) => {
      const row = await entity.row(tx, input);
      const columns = await set(tx, row, input, context.actor, read);
      return changeRow(tx, context, entity, {
        id: row.id,
        action: `${entity.kind}.${typeof action === "string" ? action : action(row, input)}`,
        ...readers(entity.database, context.actor),
        set: { updated_at: await entity.changeTime(tx), ...columns },
        also: async () => also?.(tx, row.id, read),
      });
    });
  };

type RemoveRules<T extends WithId, Ref, K extends Kind, Read> = Rules<Ref, Read> &
  Named & {
    /** Checks whether the row may be removed, and does more work in the transaction, before it is. */
    also?: (tx: Tx<K>, row: T["$inferSelect"], read: NoInfer<Read>) => Promise<unknown>;
  };

export const removeVerb =
  <T extends WithId, F extends Fields, Ref, K extends Kind = "tenant", Read = unknown>(
    entity: RowEntity<T, F, Ref, K>,
    { permission, action = "removed", also, ...rules }: RemoveRules<T, Ref, K, Read>,
  ) =>
  async (context: TenantContext, ref: Ref): Found<F> => {
    authorize(context.actor, permission);
    const read = await readBefore(rules, context, ref);
    return writeIn(context, entity.database, async (tx) => {
      const row = await entity.row(tx, ref);
      return removeRow(tx, context, entity, {
        id: row.id,
        action: `${entity.kind}.${action}`,
        ...readers(entity.database, context.actor),
        also: async () => also?.(tx, row, read),
      });
    });
  };
