/**
 * A connection whose statements stay prepared. `@libsql/client` prepares anew at every call, which for a short query takes
 * longer than running it; drizzle takes anything with the client's interface, so all queries gain without knowing.
 */
import type { Client, InArgs, InStatement, InValue, ResultSet, Transaction } from "@libsql/client";
import Database from "libsql";
import { LRUCache } from "lru-cache";

interface Statement {
  native: ReturnType<InstanceType<typeof Database>["prepare"]>;
  returnsRows: boolean;
}

/** Statements of one connection that stay prepared, about 10 KB each: with 200 schools open, 120 MB at the very most. */
const kept = 32;

/** What drizzle calls of a client, and what migrations do. */
export class Connection {
  readonly #database: InstanceType<typeof Database>;
  readonly #statements = new LRUCache<string, Statement>({ max: kept });

  /**
   * @param path a database; where there is none, an empty one is made
   * @param mode `read` refuses to write
   */
  constructor(path: string, mode: "read" | "write") {
    this.#database = new Database(path, { timeout: 0 });
    if (mode === "read") this.#database.exec("PRAGMA query_only = 1");
  }

  /** For drizzle, which calls no other methods of a client than `execute` and `transaction`. */
  get client(): Client {
    return this as unknown as Client;
  }

  /** Rows come as arrays in the order of the columns, which is all that drizzle looks at. */
  async execute(statement: InStatement | string, args?: InArgs): Promise<ResultSet> {
    const query = typeof statement === "string" ? { sql: statement, args: args ?? [] } : statement;
    const { native, returnsRows } = this.#prepare(query.sql);
    const values = bound(query.args ?? []);
    return returnsRows ? result(native.all(values), 0) : result([], native.run(values).changes);
  }

  /** The first row that a query finds. */
  first(sql: string, values: readonly InValue[]): unknown[] | undefined {
    return this.#prepare(sql).native.get(bound(values)) as unknown[] | undefined;
  }

  /** As `first`, within a transaction. */
  firstInTransaction(sql: string, values: readonly InValue[]): unknown[] | undefined {
    this.#requireTransaction();
    return this.first(sql, values);
  }

  /**
   * Runs one statement for each row of values, within a transaction: with hundreds of them far faster than awaiting each,
   * or than handing SQLite the rows as JSON.
   *
   * @returns how many rows each run changed
   */
  each(sql: string, rows: readonly (readonly InValue[])[]): number[] {
    this.#requireTransaction();
    const { native } = this.#prepare(sql);
    return rows.map((row) => native.run(bound(row)).changes);
  }

  /** Begins a write: there is one at a time on a connection. What comes after its end is refused, not run by itself. */
  async transaction(): Promise<Pick<Transaction, "execute" | "commit" | "rollback">> {
    this.#rollback(); // of one whose own rollback failed
    await this.execute("BEGIN IMMEDIATE");
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
      },
      rollback: async () => {
        open = false;
        this.#rollback();
      },
    };
  }

  /** All of the statements or none, with foreign keys left unchecked: so tables can be made anew. */
  async migrate(statements: InStatement[]): Promise<ResultSet[]> {
    await this.execute("PRAGMA foreign_keys = off");
    const { commit, rollback } = await this.transaction();
    try {
      const results = [];
      for (const statement of statements) results.push(await this.execute(statement));
      await commit();
      return results;
    } catch (error) {
      await rollback();
      throw error;
    } finally {
      await this.execute("PRAGMA foreign_keys = on");
    }
  }

  /** Some errors, a full disk for one, end a transaction themselves: what follows would be committed by itself. */
  #requireTransaction(): void {
    if (!this.#inTransaction) throw new Error("The transaction has ended.");
  }

  /** libSQL ends the process when this is asked of a closed database. */
  get #inTransaction(): boolean {
    if (!this.#database.open) throw new Error("The database is closed.");
    return this.#database.inTransaction;
  }

  #rollback(): void {
    if (this.#inTransaction) this.#database.exec("ROLLBACK");
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const native = this.#database.prepare(sql);
    const statement = { native, returnsRows: native.reader };
    if (statement.returnsRows) native.raw(true);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** libSQL ends the process over a boolean, and would take `undefined` and NaN for NULL. */
function bound(args: InArgs | readonly InValue[]): (InValue | 0 | 1)[] {
  if (!Array.isArray(args)) throw new TypeError("Values are bound by position.");
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
