import type { ResultSet } from "@libsql/client";
import type { SQL } from "drizzle-orm";
import type {
  BaseSQLiteDatabase,
  SQLiteInsertBase,
  SQLiteInsertValue,
  SQLiteTable,
  SQLiteUpdateBase,
  SQLiteUpdateSetSource,
  SQLiteUpdateWithout,
} from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import type { EndpointId, OrgId } from "../core/ids.ts";
import type { KeptBody } from "../core/kept-body.ts";

/** The two kinds of database: one `control` for the installation, one `tenant` for each organization. */
export type Kind = "control" | "tenant";

type Database = BaseSQLiteDatabase<"async", ResultSet, Record<string, never>>;

/** What a `*.tables.ts` file exports: its tables, and what else stands beside them. */
export type Tables = Readonly<Record<string, unknown>>;

/** Something to query: a database (which sees committed rows only) or an open transaction. It can't write. */
export type Reader<K extends Kind = Kind> = Pick<Database, "select" | "selectDistinct" | "values" | "$count"> & {
  readonly kind: K;
  /**
   * The first row of a statement that is kept: it is compiled once, and `values` go where it has `sql.placeholder`s.
   * libSQL hands over one row twice as fast as a list of rows.
   */
  first(statement: SQL, values: Record<string, Value>): Promise<readonly unknown[] | undefined>;
};

/**
 * `Values`, unless one of its properties is no column. TypeScript accepts surplus properties that come in by a spread,
 * and drizzle drops them silently: a misspelled column would never be written.
 */
export type OnlyColumns<Values, Columns> = Values & { [Surplus in Exclude<keyof Values, keyof Columns>]: never };

type Joins = "leftJoin" | "rightJoin" | "innerJoin" | "fullJoin";

/** drizzle's `insert` and `update`, which accept columns of the table and nothing else. */
interface Writes extends Pick<Database, "delete" | "run"> {
  insert<T extends SQLiteTable>(
    table: T,
  ): {
    values<V extends SQLiteInsertValue<T>>(
      row: OnlyColumns<V, T["$inferInsert"]> | OnlyColumns<V, T["$inferInsert"]>[],
    ): SQLiteInsertBase<T, "async", ResultSet>;
  };
  update<T extends SQLiteTable>(
    table: T,
  ): {
    set<V extends SQLiteUpdateSetSource<T>>(
      columns: OnlyColumns<V, T["$inferInsert"]>,
    ): SQLiteUpdateWithout<SQLiteUpdateBase<T, "async", ResultSet>, false, Joins>;
  };
}

/** What a column can be given. */
export type Value = string | number | bigint | boolean | Uint8Array | null;

/** An open write transaction. */
export type Tx<K extends Kind = Kind> = Reader<K> &
  Writes & {
    /** The moment the transaction began: everything it writes bears this one time. */
    readonly now: Instant;
    /**
     * Says that something this transaction writes is due at once: whoever listens is told after the commit.
     *
     * @param changed what was already taken on for this endpoint is out of date
     */
    due(changed?: EndpointId): void;
    /** Says that nothing it writes shows in any body that is kept (`readBody`): those stay good. */
    unseen(): void;
    /** Registers what must happen outside the database once, and only once, the transaction is committed. */
    afterCommit(effect: () => void): void;
    /**
     * Runs one statement for each row, whose values its `sql.placeholder`s stand for. With hundreds of rows that takes a
     * fraction of the time of as many calls.
     *
     * @returns how many rows of the database each run changed
     */
    each(statement: SQL, rows: readonly Record<string, Value>[]): Promise<number[]>;
  };

/** All that features see of a database. */
export interface Store<K extends Kind = Kind> {
  read<T>(query: (reader: Reader<K>) => Promise<T>): Promise<T>;
  /**
   * Runs `body` as one serialized transaction: committed when it resolves, rolled back when it throws. The body may
   * run again, so it does nothing but database work; it must not catch an SQL error, since the rest would commit.
   * A write inside a write throws at once: it would wait for itself.
   */
  write<T>(body: (tx: Tx<K>) => Promise<T>): Promise<T>;
}

export type Control = Store<"control">;

export type Tenant = Store<"tenant"> & {
  readonly id: OrgId;
  /** The key that secrets which must be read back are sealed under. @throws CONFLICT another installation has it */
  dataKey(): Promise<Buffer>;
  /**
   * As `read`, for a body that depends on this database and on nothing else, the time included: the same `question` is
   * answered from memory until something is written.
   */
  readBody(question: string, query: (reader: Reader<"tenant">) => Promise<string>): Promise<KeptBody>;
};
