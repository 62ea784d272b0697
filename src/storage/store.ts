import type { ResultSet } from "@libsql/client";
import type { SQL } from "drizzle-orm";
import type {
  BaseSQLiteDatabase,
  SQLiteDeleteBase,
  SQLiteInsertBase,
  SQLiteInsertValue,
  SQLiteTable,
  SQLiteUpdateBase,
  SQLiteUpdateSetSource,
  SQLiteUpdateWithout,
} from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import type { EndpointId, OrgId } from "../core/ids.ts";
import type { Bytes, KeptBody } from "../core/kept-body.ts";

/** The two kinds of database: one `control` for the installation, one `tenant` for each organization. */
export type Kind = "control" | "tenant";

type Database = BaseSQLiteDatabase<"async", ResultSet, Record<string, never>>;

/** The exports of a `*.tables.ts` file: tables, and possibly other values. */
export type Tables = Readonly<Record<string, unknown>>;

/** What a module does on an occasion. `occasions.ts` makes them of functions with types, and calls them. */
export interface Act {
  /** Reads what `act` needs. */
  prepare?: (database: never, about: never) => Promise<unknown>;
  act: (database: never, about: never, prepared: never) => Promise<unknown>;
}

/** By the occasion or the question of `occasions.ts`. */
export type Followers = ReadonlyMap<object, readonly Act[]>;

/** A database, which sees committed rows only, or an open transaction, for queries. It can't write. */
export type Reader<K extends Kind = Kind> = Pick<Database, "select" | "selectDistinct" | "values" | "$count"> & {
  readonly kind: K;
  /** What modules do on occasions in other modules: see `occasions.ts`. */
  readonly followers: Followers;
  /**
   * Returns the first row of a statement that is compiled once; `values` fill its `sql.placeholder`s. libSQL returns one
   * row in half the time of a list of rows.
   */
  first(statement: SQL, values: Record<string, Value>): Promise<readonly unknown[] | undefined>;
  /** As `first`, all rows. In a transaction also those that a write returns. */
  rows<Row extends readonly unknown[]>(statement: SQL<Row>, values: Record<string, Value>): Promise<readonly Row[]>;
};

/**
 * `Values`, unless one of its properties is not a column. TypeScript accepts surplus properties of a spread, and drizzle
 * ignores them, so a misspelled column would never be written.
 */
export type OnlyColumns<Values, Columns> = Values & { [Surplus in Exclude<keyof Values, keyof Columns>]: never };

type Joins = "leftJoin" | "rightJoin" | "innerJoin" | "fullJoin";

/**
 * drizzle's `insert` and `update`, limited to columns of the table, and its `delete` and `run`. None has a result, unless it
 * returns rows: on a server, the statement goes with the next one whose rows are needed, and its error is that one's.
 */
interface Writes {
  delete<T extends SQLiteTable>(table: T): SQLiteDeleteBase<T, "async", unknown>;
  run(statement: SQL | string): Promise<unknown>;
  insert<T extends SQLiteTable>(
    table: T,
  ): {
    values<V extends SQLiteInsertValue<T>>(
      row: OnlyColumns<V, T["$inferInsert"]> | OnlyColumns<V, T["$inferInsert"]>[],
    ): SQLiteInsertBase<T, "async", unknown>;
  };
  update<T extends SQLiteTable>(
    table: T,
  ): {
    set<V extends SQLiteUpdateSetSource<T>>(
      columns: OnlyColumns<V, T["$inferInsert"]>,
    ): SQLiteUpdateWithout<SQLiteUpdateBase<T, "async", unknown>, false, Joins>;
  };
}

/** A value that SQLite can store. */
export type Value = string | number | bigint | boolean | Uint8Array | null;

/** An open write transaction. */
export type Tx<K extends Kind = Kind> = Reader<K> &
  Writes & {
    /** The start of the transaction: the time of everything that it writes. */
    readonly now: Instant;
    /** Whether the installation sends mail. If it does not, none is queued. */
    readonly sendsMail: boolean;
    /**
     * Declares that this transaction makes work due at once. The dispatcher is woken after the commit.
     *
     * @param changed deliveries already claimed for this endpoint are out of date
     */
    due(changed?: EndpointId): void;
    /** Declares that no cached body (`readBody`) shows what this transaction writes: the cache stays valid. */
    unseen(): void;
    /** Declares that the audit log has a new row. @param orgId in the control database: the organization that it concerns */
    audited(orgId: OrgId | null): void;
    /**
     * Declares that this transaction is no activity of the organization: it does not postpone the checkpoint of its file. If
     * nothing else was written, the next checkpoint includes it.
     */
    aside(): void;
    /** Registers an effect outside the database, which runs once after the commit and never after a rollback. */
    afterCommit(effect: () => void): void;
    /**
     * Runs one statement for each row of values for its `sql.placeholder`s, by name or in their order. For hundreds of rows this takes a fraction of the
     * time of as many calls.
     */
    each(statement: SQL, rows: readonly (Record<string, Value> | readonly Value[])[]): Promise<void>;
    /** As `each`. @returns the number of database rows that each run changed */
    countEach(statement: SQL, rows: readonly (Record<string, Value> | readonly Value[])[]): Promise<number[]>;
  };

/** A database as modules see it. */
export interface Store<K extends Kind = Kind> {
  read<T>(query: (reader: Reader<K>) => Promise<T>): Promise<T>;
  /**
   * Runs `body` as one serialized transaction, which commits when it resolves and rolls back when it throws. The body may
   * run again, so it must only do database work. It must not catch an SQL error, because the rest would commit.
   * A write inside a write throws at once: it would wait for itself.
   */
  write<T>(body: (tx: Tx<K>) => Promise<T>): Promise<T>;
}

export type Control = Store<"control"> & {
  /** The number of writes so far. While it is unchanged, earlier reads are still current. */
  readonly changes: number;
};

export type Tenant = Store<"tenant"> & {
  readonly id: OrgId;
  /** Returns the key that seals secrets which must be read back. @throws CONFLICT another installation sealed the key */
  dataKey(): Promise<Buffer>;
  /**
   * Reads like `read`, and caches the body under `question` until the next write. The body must depend on this database
   * alone, and not on the time.
   */
  readBody(question: string, query: (reader: Reader<"tenant">) => Promise<string | Bytes>): Promise<KeptBody>;
};
