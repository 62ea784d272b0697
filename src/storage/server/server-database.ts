import type { InArgs, InStatement } from "@libsql/client";
import { type SQL, sql } from "drizzle-orm";
import { type Clock, type Instant, seconds, shift, toInstant } from "../../core/clock.ts";
import type { EndpointId, OrgId } from "../../core/ids.ts";
import { compiled, filled, type ValuesOf } from "../compiled.ts";
import { drizzleOn } from "../drizzle-on.ts";
import { Mutex } from "../mutex.ts";
import type { Followers, Kind, Reader, Store, Tx, Value } from "../store.ts";
import { Effects, type Trace, throwIfWriting, writing } from "../writing.ts";
import { fromEngine } from "./engine-error.ts";
import type { Statement } from "./hrana.ts";
import { ServerTransaction, statementOf } from "./server-transaction.ts";
import { ReadQueue, repeated, type Session } from "./session.ts";
import { packed, resultSet } from "./values.ts";

export interface ServerDatabaseOptions {
  clock: Clock;
  /** See `FileOptions`. */
  onEffectError: (error: unknown) => void;
  beforeFirstWrite?: () => Promise<void>;
  onDue?: (changed?: EndpointId) => void;
  onAudited?: (orgId: OrgId | null) => void;
  sendsMail?: boolean | undefined;
  followers?: Followers | undefined;
  trace?: Trace | undefined;
  /** Returns a statement that goes with the commit of each write. @param isSeen whether a kept body may show the write */
  atCommit?: (isSeen: boolean) => readonly Statement[];
  /** The number of migrations of this program. With another number in the database, nothing is written. */
  schemaVersion?: number;
}

/** The time without writes after which a database is idle, in milliseconds. */
const idleAfter = seconds(5);

const none: Followers = new Map();
const longAgo = toInstant(new Date(0));

export const serverStatement = (statement: SQL, values: ValuesOf): Statement => {
  const { sql, params } = compiled(statement);
  return { sql, args: filled(params, values).map(packed) };
};

/** Fails where another program has migrated the database since this one looked: SQLite has no other error that a query can raise. */
const requireVersion = sql`select case when (select user_version from pragma_user_version) = ${sql.placeholder("version")}
  then 1 else abs(-9223372036854775807 - 1) end`;

/** A database that is a namespace of a libSQL server: reads of committed rows, and one write of this process at a time. */
export class ServerDatabase<K extends Kind> implements Store<K> {
  readonly #kind: K;
  readonly #session: Session;
  readonly #options: ServerDatabaseOptions;
  readonly #reader: Reader<K>;
  readonly #mutex = new Mutex();
  readonly #guard: Statement | undefined;
  /** The time of the last write since the last `settled`. */
  #lastWrite: Instant | undefined;
  #isChanged = false;
  #changes = 0;

  constructor(kind: K, session: Session, options: ServerDatabaseOptions) {
    this.#kind = kind;
    this.#session = session;
    this.#options = options;
    const { schemaVersion: version } = options;
    this.#guard = version === undefined ? undefined : serverStatement(requireVersion, { version });
    const queue = new ReadQueue(session);
    const client = {
      execute: async (statement: InStatement | string, args?: InArgs) =>
        resultSet(await queue.query(statementOf(statement, args))),
    };
    this.#reader = Object.assign(drizzleOn({ client }), {
      kind,
      followers: options.followers ?? none,
      first: async (statement: SQL, values: Record<string, Value>) =>
        (await queue.query(serverStatement(statement, values))).rows[0],
      rows: async <Row extends readonly unknown[]>(statement: SQL<Row>, values: Record<string, Value>) =>
        (await queue.query(serverStatement(statement, values))).rows as unknown as readonly Row[],
    });
  }

  async read<T>(query: (reader: Reader<K>) => Promise<T>): Promise<T> {
    try {
      return await query(this.#reader);
    } catch (error) {
      throw fromEngine(error, this.#kind);
    }
  }

  async write<T>(body: (tx: Tx<K>) => Promise<T>): Promise<T> {
    throwIfWriting();
    const { result, effects } = await this.#mutex
      .run(async () => {
        if (this.#lastWrite === undefined) await this.#options.beforeFirstWrite?.();
        const earlier = this.#lastWrite ?? longAgo;
        this.#lastWrite = toInstant(this.#options.clock.now());
        const aside = () => {
          this.#lastWrite = earlier;
        };
        return repeated(() => this.#transact(body, aside));
      })
      .catch((error: unknown) => {
        throw fromEngine(error, this.#kind);
      });
    effects.run(this.#options.onEffectError);
    return result;
  }

  /** One try. A `write` makes another one only if this one was not committed. */
  async #transact<T>(body: (tx: Tx<K>) => Promise<T>, aside: () => void): Promise<{ result: T; effects: Effects }> {
    const { clock, trace, atCommit, sendsMail = false, followers = none } = this.#options;
    const effects = new Effects(this.#options);
    const transaction = new ServerTransaction(await this.#session.writes(), this.#guard);
    let isSeen = true;
    const query = (statement: SQL, values: ValuesOf) => transaction.query(serverStatement(statement, values));
    const tx: Tx<K> = Object.assign(drizzleOn(transaction), {
      ...effects.ofTx,
      kind: this.#kind,
      followers,
      now: toInstant(clock.now()),
      sendsMail,
      unseen: () => {
        isSeen = false;
      },
      aside,
      first: async (statement: SQL, values: Record<string, Value>) => (await query(statement, values)).rows[0],
      rows: async <Row extends readonly unknown[]>(statement: SQL<Row>, values: Record<string, Value>) =>
        (await query(statement, values)).rows as unknown as readonly Row[],
      each: async (statement: SQL, rows: readonly ValuesOf[]) => {
        for (const row of rows) transaction.add(serverStatement(statement, row));
      },
      countEach: async (statement: SQL, rows: readonly ValuesOf[]) =>
        (await Promise.all(rows.map((row) => query(statement, row)))).map(({ changes }) => changes),
    });
    try {
      trace?.(`${this.#kind}: begin`);
      const result = await writing.run(true, () => body(tx));
      trace?.(`${this.#kind}: before commit`);
      await transaction.commit(atCommit?.(isSeen) ?? []);
      trace?.(`${this.#kind}: committed`);
      if (isSeen) this.#changes += 1;
      return { result, effects };
    } catch (error) {
      transaction.rollback();
      throw error;
    }
  }

  /** The number of commits of this process, without those that called `unseen`. */
  get changes(): number {
    return this.#changes;
  }

  get hasUnsettled(): boolean {
    return this.#lastWrite !== undefined || this.#isChanged;
  }

  /** Returns whether there are writes to settle, all of them `idleAfter` ago, or by a clock that was set back since. */
  isIdle(now: Date): boolean {
    if (this.#lastWrite === undefined) return this.#isChanged;
    return this.#lastWrite <= shift(now, -idleAfter) || this.#lastWrite > toInstant(now);
  }

  /** Makes the database idle with something to settle. */
  noteChange(): void {
    this.#isChanged = true;
  }

  /** Runs `work` while no write of this process runs: what it stores elsewhere is the state after all of them. */
  settle(work: (reader: Pick<this, "read">) => Promise<void> = async () => undefined): Promise<void> {
    return this.#mutex.run(async () => {
      await writing.run(false, () => work(this));
      this.#lastWrite = undefined;
      this.#isChanged = false;
    });
  }

  /** Closes after the current write. */
  close(): Promise<void> {
    return this.#mutex.run(async () => this.#session.close());
  }
}
