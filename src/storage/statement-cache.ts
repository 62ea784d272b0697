/**
 * The prepared statements of all connections. One limit for the process: a busy school keeps the hundred statements of its
 * verbs, and the schools that are open but idle lose theirs first.
 */
import type Database from "libsql";
import { LRUCache } from "lru-cache";

export interface Statement {
  readonly sql: string;
  readonly native: ReturnType<InstanceType<typeof Database>["prepare"]>;
  readonly returnsRows: boolean;
}

/** A statement takes 3 to 33 KB, those of a verb 12 on average: at most 50 MB. */
const kept = 4096;

/** With the connection's own map, from which a statement is deleted when others take its place. */
const recent = new LRUCache<Statement, Map<string, Statement>>({
  max: kept,
  dispose: (statements, { sql }) => void statements.delete(sql),
});

/** The prepared statements of one connection. */
export class StatementCache {
  readonly #statements = new Map<string, Statement>();

  /** Returns the statement with this text, which `prepare` makes if it is not kept. */
  get(sql: string, prepare: () => Statement): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      recent.get(known); // it was used just now
      return known;
    }
    const statement = prepare();
    this.#statements.set(sql, statement);
    recent.set(statement, this.#statements);
    return statement;
  }

  clear(): void {
    for (const statement of [...this.#statements.values()]) recent.delete(statement);
  }
}
