import type { SQL } from "drizzle-orm";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { type Clock, type Instant, seconds, shift, toInstant } from "../core/clock.ts";
import { Problem } from "../core/errors.ts";
import type { EndpointId, OrgId } from "../core/ids.ts";
import { CommittedReads } from "./committed-reads.ts";
import { compiled, filled, type ValuesOf } from "./compiled.ts";
import { Connection } from "./connection.ts";
import { hasFreeDescriptors, TooManyOpenFiles } from "./descriptors.ts";
import { drizzleOn } from "./drizzle-on.ts";
import { type DatabaseIdentity, databaseIdentity, FileReplaced, fileIdentity } from "./file-identity.ts";
import { type Migrations, migrate } from "./migrations.ts";
import { Mutex } from "./mutex.ts";
import { controlUnavailable, fromSqlite, isDamage } from "./sqlite-error.ts";
import type { Followers, Kind, Reader, Store, Tx, Value } from "./store.ts";
import { Effects, type Trace, throwIfWriting, writing } from "./writing.ts";

export interface FileOptions {
  clock: Clock;
  /** Called with the error of an effect after a commit. The write is committed. */
  onEffectError: (error: unknown) => void;
  /** Awaited before the first write since the last checkpoint, while other writes wait. */
  beforeFirstWrite?: () => Promise<void>;
  /** Called after the commit of a transaction that called `due`. */
  onDue?: (changed?: EndpointId) => void;
  /** Called after a commit that wrote to the audit log, once for each organization of its rows. */
  onAudited?: (orgId: OrgId | null) => void;
  /** By default false. */
  sendsMail?: boolean | undefined;
  /** By default none: then no verb can be used that announces something. */
  followers?: Followers | undefined;
  trace?: Trace;
}

/** The time without writes after which a database is checkpointed, in milliseconds. */
const idleAfter = seconds(5);

const none: Followers = new Map();

/** SQLite opens the `-wal` file, or creates it, when a connection first reads. */
const openingRead = "select 1 from sqlite_master";

/** Before any checkpoint that is due. */
const longAgo = toInstant(new Date(0));

/** An open SQLite file: reads of committed rows, one write at a time, and checkpoints. */
export class SqliteFile<K extends Kind> implements Store<K> {
  readonly #writes: Connection;
  readonly #reads: CommittedReads;
  readonly #writer: LibSQLDatabase;
  readonly #reader: Reader<K>;
  readonly #mutex = new Mutex();
  readonly #kind: K;
  readonly #path: string;
  readonly #identity: DatabaseIdentity;
  readonly #options: FileOptions;
  #reading = 0;
  #isDamaged = false;
  /** The time of the last write since the last checkpoint. */
  #lastWrite: Instant | undefined;
  #isChanged = false;
  #changes = 0;

  private constructor(kind: K, path: string, writes: Connection, options: FileOptions) {
    this.#kind = kind;
    this.#path = path;
    this.#identity = databaseIdentity(path);
    this.#writes = writes;
    const reads = new CommittedReads(writes, () => this.#openAnother());
    this.#reads = reads;
    this.#writer = drizzleOn(writes);
    this.#reader = Object.assign(drizzleOn(reads), {
      kind,
      followers: options.followers ?? none,
      first: async (statement: SQL, values: Record<string, Value>) => {
        const { sql, params } = compiled(statement);
        return reads.first(sql, filled(params, values));
      },
      rows: async <Row extends readonly unknown[]>(statement: SQL<Row>, values: Record<string, Value>) => {
        const { sql, params } = compiled(statement);
        return reads.rows<Row>(sql, filled(params, values));
      },
    });
    this.#options = options;
  }

  /** @throws WrongFile, or the errors of `fromSqlite` */
  static async open<K extends Kind>(
    kind: K,
    path: string,
    migrations: Migrations,
    options: FileOptions & { fresh?: boolean },
  ): Promise<SqliteFile<K>> {
    let writes: Connection | undefined;
    const before = fileIdentity(path);
    try {
      writes = new Connection(path, "write");
      await migrate(writes, kind, migrations, options.fresh);
      writes.first(openingRead, []);
      const file = new SqliteFile(kind, path, writes, options);
      if (kind === "control") file.#reads.open(); // it will be needed, and then there may be no descriptor
      if (before !== undefined && before !== file.identity) throw new FileReplaced(`${path} was replaced meanwhile`);
      return file;
    } catch (error) {
      writes?.close();
      throw fromSqlite(error, kind, path);
    }
  }

  /** @throws TENANT_UNAVAILABLE or UNAVAILABLE, if another file is at the path, or there is no descriptor for the connection */
  #openAnother(): Connection {
    this.#requireInPlace();
    let another: Connection | undefined;
    try {
      another = new Connection(this.#path, "read");
      another.first(openingRead, []);
      return another;
    } catch (error) {
      another?.close();
      throw hasFreeDescriptors() ? error : this.#unavailable(new TooManyOpenFiles(error));
    }
  }

  async read<T>(query: (reader: Reader<K>) => Promise<T>): Promise<T> {
    this.#reading += 1;
    try {
      return await query(this.#reader);
    } catch (error) {
      throw this.#failure(error);
    } finally {
      this.#reading -= 1;
    }
  }

  async write<T>(body: (tx: Tx<K>) => Promise<T>): Promise<T> {
    throwIfWriting();
    const effects = new Effects(this.#options);
    const result = await this.#mutex.run(async () => {
      this.#requireInPlace();
      if (this.#lastWrite === undefined) await this.#options.beforeFirstWrite?.();
      const earlier = this.#lastWrite ?? longAgo;
      this.#lastWrite = toInstant(this.#options.clock.now());
      return this.#transact(body, effects, () => {
        this.#lastWrite = earlier;
      });
    });
    effects.run(this.#options.onEffectError);
    return result;
  }

  async #transact<T>(body: (tx: Tx<K>) => Promise<T>, effects: Effects, aside: () => void): Promise<T> {
    const { clock, trace, sendsMail = false, followers = none } = this.#options;
    let seen = 1;
    let open = true;
    const each = (statement: SQL, rows: readonly ValuesOf[]) => {
      if (!open) throw new Error("The transaction has ended.");
      const { sql, params } = compiled(statement);
      return this.#writes.each(
        sql,
        rows.map((row) => filled(params, row)),
      );
    };
    const extras = {
      ...effects.ofTx,
      kind: this.#kind,
      followers,
      now: toInstant(clock.now()),
      sendsMail,
      unseen: () => {
        seen = 0;
      },
      aside,
      first: async (statement: SQL, values: Record<string, Value>) => {
        if (!open) throw new Error("The transaction has ended.");
        const { sql, params } = compiled(statement);
        return this.#writes.firstInTransaction(sql, filled(params, values));
      },
      rows: async <Row extends readonly unknown[]>(statement: SQL<Row>, values: Record<string, Value>) => {
        if (!open) throw new Error("The transaction has ended.");
        const { sql, params } = compiled(statement);
        return this.#writes.rowsInTransaction<Row>(sql, filled(params, values));
      },
      each: async (statement: SQL, rows: readonly ValuesOf[]) => void each(statement, rows),
      countEach: async (statement: SQL, rows: readonly ValuesOf[]) => each(statement, rows),
    };
    const bodyOf = async (tx: Tx<K>): Promise<T> => {
      try {
        return await body(tx);
      } finally {
        open = false;
      }
    };
    try {
      trace?.(`${this.#kind}: begin`);
      const result = await this.#writer.transaction(async (tx) => {
        const result = await writing.run(true, () => bodyOf(Object.assign(tx, extras)));
        trace?.(`${this.#kind}: before commit`);
        return result;
      });
      this.#changes += seen;
      trace?.(`${this.#kind}: committed`);
      this.#requireInPlace(); // otherwise the caller would be told that a row is stored which nobody finds again
      return result;
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #failure(error: unknown): unknown {
    this.#isDamaged ||= isDamage(error);
    return fromSqlite(error, this.#kind, this.#path);
  }

  /** Whether SQLite has found damage since the file was opened. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** The device and inode of the `.db` file that is open. */
  get identity(): string | undefined {
    return this.#identity.db;
  }

  /** Whether the open files are still at their paths. */
  get isInPlace(): boolean {
    const { db, wal } = databaseIdentity(this.#path);
    return db === this.#identity.db && wal === this.#identity.wal;
  }

  #requireInPlace(): void {
    if (this.isInPlace) return;
    throw this.#unavailable(
      new FileReplaced(
        `${this.#path} or its -wal file was removed or replaced while the server had it open. See "windsock manual data".`,
      ),
    );
  }

  #unavailable(cause: Error): Problem {
    if (this.#kind === "control") return controlUnavailable(cause);
    return new Problem("TENANT_UNAVAILABLE", "These records can't be opened at the moment.", { cause });
  }

  /** The number of commits since the file was opened, without those that called `unseen`. */
  get changes(): number {
    return this.#changes;
  }

  get hasUncheckpointed(): boolean {
    return this.#lastWrite !== undefined || this.#isChanged;
  }

  /** Returns whether there are writes to checkpoint, all of them `idleAfter` ago, or by a clock that was set back since. */
  isIdle(now: Date): boolean {
    if (this.#lastWrite === undefined) return this.#isChanged;
    return this.#lastWrite <= shift(now, -idleAfter) || this.#lastWrite > toInstant(now);
  }

  /** Makes a checkpoint due: the file was changed by another program since the last one. */
  noteChange(): void {
    this.#isChanged = true;
  }

  /**
   * Moves all rows from the `-wal` file to the `.db` file, so that the `.db` alone is complete. Does nothing while a read is
   * running; a later checkpoint succeeds. `whole` runs after success, while writes still wait.
   */
  checkpoint(whole: (reader: Reader<K>) => Promise<void> = async () => undefined): Promise<void> {
    return this.#mutex.run(async () => {
      this.#requireInPlace();
      if (this.#reading > 0) return;
      const { rows } = await this.#writes.execute("PRAGMA wal_checkpoint(TRUNCATE)");
      const busy = rows[0]?.[0];
      if (busy !== 0) return;
      // A write's body may cause this checkpoint, when it opens another file and this one is evicted. It does not await it.
      await writing.run(false, () => whole(this.#reader));
      this.#lastWrite = undefined;
      this.#isChanged = false;
    });
  }

  /**
   * Closes after the current write. Checkpoint first; otherwise the newest rows stay in the `-wal` file. A file that was
   * moved away is completed here: the `-wal` file must not have rows for the file that takes its place.
   */
  close(): Promise<void> {
    return this.#mutex.run(async () => {
      if (!this.isInPlace) await this.#writes.execute("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined);
      this.#reads.close();
      this.#writes.close();
    });
  }
}
