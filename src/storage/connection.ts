/**
 * A connection that caches prepared statements. `@libsql/client` prepares a statement at every call, which takes longer than
 * running a short query. The class has the client's interface, so all of drizzle's queries use the cache.
 */
import type { Client, InArgs, InStatement, InValue, ResultSet, Transaction } from "@libsql/client";
import Database from "libsql";
import { yieldToEventLoop } from "../core/async.ts";
import { type Statement, StatementCache } from "./statement-cache.ts";

/** The methods of a client that drizzle calls, and those for migrations. */
export class Connection {
  readonly #database: InstanceType<typeof Database>;
  readonly #statements = new StatementCache();
  #isWriting = false;

  /**
   * @param path the database, which is created if it does not exist
   * @param mode `read` rejects writes
   */
  constructor(
    readonly path: string,
    mode: "read" | "write",
  ) {
    this.#database = new Database(path, { timeout: 0 });
    // SQLite overwrites what is deleted: otherwise, erased data stays in the free space of the file.
    this.#database.exec(mode === "read" ? "PRAGMA query_only = 1" : "PRAGMA secure_delete = 1");
    // KiB of pages that it keeps, at most: a large school's search reads an index of more than SQLite's 2 MB. A small file has no
    // more pages than its size.
    this.#database.exec("PRAGMA cache_size = -16384");
  }

  /** For drizzle, which only calls a client's `execute` and `transaction`. */
  get client(): Client {
    return this as unknown as Client;
  }

  /** Returns rows as arrays in the order of the columns: drizzle needs no names. */
  async execute(statement: InStatement | string, args?: InArgs): Promise<ResultSet> {
    const query = typeof statement === "string" ? { sql: statement, args: args ?? [] } : statement;
    const { native, returnsRows } = this.#prepare(query.sql);
    const values = bound(query.args ?? []);
    return returnsRows ? result(native.all(values), 0) : result([], native.run(values).changes);
  }

  /** Returns the first row of a query. */
  first(sql: string, values: readonly InValue[]): unknown[] | undefined {
    return this.#prepare(sql).native.get(bound(values)) as unknown[] | undefined;
  }

  /** Returns all rows of a query. */
  rows<Row extends readonly unknown[]>(sql: string, values: readonly InValue[]): readonly Row[] {
    return this.#prepare(sql).native.all(bound(values)) as Row[];
  }

  /** Like `first`. Throws without a transaction. */
  firstInTransaction(sql: string, values: readonly InValue[]): unknown[] | undefined {
    this.#requireTransaction();
    return this.first(sql, values);
  }

  /** Like `rows`. Throws without a transaction. */
  rowsInTransaction<Row extends readonly unknown[]>(sql: string, values: readonly InValue[]): readonly Row[] {
    this.#requireTransaction();
    return this.rows(sql, values);
  }

  /**
   * Runs one statement for each row of values, in a transaction. For hundreds of rows this is much faster than awaiting each,
   * or than passing the rows to SQLite as JSON.
   *
   * @returns the number of rows that each run changed
   */
  each(sql: string, rows: readonly (readonly InValue[])[]): number[] {
    this.#requireTransaction();
    const { native } = this.#prepare(sql);
    return rows.map((row) => native.run(bound(row)).changes);
  }

  /** Whether a transaction is open, or its rollback failed: then not all rows that are read here are committed. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Begins a write. A connection has one at a time. Statements after its end throw instead of running alone. */
  async transaction(): Promise<Pick<Transaction, "execute" | "commit" | "rollback">> {
    this.#rollback(); // of one whose own rollback failed
    await this.execute("BEGIN IMMEDIATE");
    this.#isWriting = true;
    let open = true;
    return {
      execute: async (statement: InStatement | string) => {
        if (!open) throw new Error("The transaction has ended.");
        this.#requireTransaction();
        return this.execute(statement);
      },
      commit: async () => {
        open = false;
        await this.execute("COMMIT");
        this.#isWriting = false;
      },
      rollback: async () => {
        open = false;
        this.#rollback();
      },
    };
  }

  /** Runs all of the statements or none, without foreign key checks, so that tables can be rebuilt. */
  async migrate(statements: InStatement[]): Promise<ResultSet[]> {
    await this.execute("PRAGMA foreign_keys = off");
    const { commit, rollback } = await this.transaction();
    try {
      const results = [];
      for (const statement of statements) {
        results.push(await this.execute(statement));
        await yieldToEventLoop();
      }
      await commit();
      return results;
    } catch (error) {
      await rollback();
      throw error;
    } finally {
      await this.execute("PRAGMA foreign_keys = on");
    }
  }

  /** Some errors, such as a full disk, end a transaction. Later statements would each be committed on their own. */
  #requireTransaction(): void {
    if (!this.#inTransaction) throw new Error("The transaction has ended.");
  }

  /** On a closed database, libSQL's `inTransaction` ends the process. */
  get #inTransaction(): boolean {
    if (!this.#database.open) throw new Error("The database is closed.");
    return this.#database.inTransaction;
  }

  #rollback(): void {
    if (this.#inTransaction) this.#database.exec("ROLLBACK");
    this.#isWriting = false;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): Statement {
    return this.#statements.get(sql, () => {
      const native = this.#database.prepare(sql);
      const returnsRows = native.reader;
      if (returnsRows) native.raw(true);
      return { sql, native, returnsRows };
    });
  }
}

/** Converts booleans, which end the process in libSQL. Rejects `undefined` and NaN, which libSQL stores as NULL. */
function bound(args: InArgs | readonly InValue[]): (InValue | 0 | 1)[] {
  if (!Array.isArray(args)) throw new TypeError("Values must be an array: they are bound by position.");
  return args.map((value) => {
    if (typeof value === "boolean") return value ? 1 : 0;
    if (value === undefined || (typeof value === "number" && !Number.isFinite(value)))
      throw new TypeError(`${value} can't be stored.`);
    return value;
  });
}

const result = (rows: unknown[], rowsAffected: number): ResultSet => ({
  columns: [],
  columnTypes: [],
  rows: rows as ResultSet["rows"],
  rowsAffected,
  lastInsertRowid: undefined,
  toJSON: () => rows,
});
