/**
 * Reads through statements that stay prepared. `@libsql/client` prepares anew at every call, which for a short query
 * takes longer than running it; drizzle takes anything with the client's interface, so every read gains without knowing.
 */
import type { InArgs, InStatement, ResultSet } from "@libsql/client";
import Database from "libsql";
import { LRUCache } from "lru-cache";

type Statement = ReturnType<InstanceType<typeof Database>["prepare"]>;

/** Queries of one database that stay prepared, about 10 KB each. */
const kept = 64;

export class StatementCache {
  readonly #database: InstanceType<typeof Database>;
  readonly #statements = new LRUCache<string, Statement>({ max: kept });

  /** @param path an existing database */
  constructor(path: string) {
    this.#database = new Database(path, { timeout: 0 });
    this.#database.exec("PRAGMA query_only = 1");
  }

  /** Rows come as arrays in the order of the columns, which is all that drizzle looks at. */
  async execute(statement: InStatement | string, args?: InArgs): Promise<ResultSet> {
    const query = typeof statement === "string" ? { sql: statement, args: args ?? [] } : statement;
    const rows = this.#prepare(query.sql).all(query.args ?? []) as unknown as ResultSet["rows"];
    return { columns: [], columnTypes: [], rows, rowsAffected: 0, lastInsertRowid: undefined, toJSON: () => rows };
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    statement.raw(true);
    this.#statements.set(sql, statement);
    return statement;
  }
}
