import type { Client, InArgs, InStatement, InValue, ResultSet } from "@libsql/client";
import type { Connection } from "./connection.ts";

/** No other statement is run here: outside of a transaction, a write would be committed at once, without an audit row. */
const reads = /^\s*(select|with|values|explain|pragma)\b/i;

/**
 * Reads the committed rows of a file by the connection that writes, and while that has a transaction open by one more. A
 * statement ends before anything else runs, so no write begins amid one. SQLite parses the schema for each connection, which
 * takes 290 KB and some milliseconds, and most schools never have a read amid a write.
 */
export class CommittedReads {
  readonly #writes: Connection;
  readonly #openAnother: () => Connection;
  #another: Connection | undefined;

  /** @param openAnother opens a connection that rejects writes. It throws when the file is no longer the one that is written to */
  constructor(writes: Connection, openAnother: () => Connection) {
    this.#writes = writes;
    this.#openAnother = openAnother;
  }

  /** For drizzle, which only calls a client's `execute` here. */
  get client(): Pick<Client, "execute"> {
    return this;
  }

  async execute(statement: InStatement | string, args?: InArgs): Promise<ResultSet> {
    const sql = typeof statement === "string" ? statement : statement.sql;
    return this.#connectionFor(sql).execute(statement, args);
  }

  /** Returns the first row of a query. */
  first(sql: string, values: readonly InValue[]): unknown[] | undefined {
    return this.#connectionFor(sql).first(sql, values);
  }

  /** Returns all rows of a query. */
  rows<Row extends readonly unknown[]>(sql: string, values: readonly InValue[]): readonly Row[] {
    return this.#connectionFor(sql).rows<Row>(sql, values);
  }

  /** Opens the other connection, if it is not. */
  open(): Connection {
    this.#another ??= this.#openAnother();
    return this.#another;
  }

  close(): void {
    this.#another?.close();
  }

  #connectionFor(sql: string): Connection {
    if (!reads.test(sql)) throw new Error(`Only a transaction can run this statement: ${sql}`);
    return this.#writes.isWriting ? this.open() : this.#writes;
  }
}
