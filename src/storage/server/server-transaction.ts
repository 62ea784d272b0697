import type { InArgs, InStatement, ResultSet, Transaction } from "@libsql/client";
import { yieldToEventLoop } from "../../core/async.ts";
import type { Value } from "../store.ts";
import { EngineError, isUnanswered } from "./engine-error.ts";
import type { Condition, HranaStream, Outcome, Statement, Step } from "./hrana.ts";
import { packed, type Result, resultSet } from "./values.ts";

interface Queued {
  statement: Statement;
  /** Missing: nobody waits for the result. */
  waiting?: PromiseWithResolvers<Result>;
}

/** Steps of one batch, few enough that other work of the server comes in between. */
const mostSteps = 200;

/** The size of one batch in characters, unless one statement is larger: the server takes messages of 16 MiB. */
const mostText = 2 * 1024 * 1024;

const nothing: ResultSet = resultSet({ rows: [], changes: 0 });

const inTransaction: Condition = { type: "not", cond: { type: "is_autocommit" } };
const after = (step: number): Condition => ({ type: "and", conds: [{ type: "ok", step }, inTransaction] });

/** Returns whether somebody may need the rows of a statement. A word in a text can make it so: then it is only a trip more. */
const returnsRows = (sql: string): boolean => !/^\s*(insert|update|delete)\b/i.test(sql) || /\breturning\b/i.test(sql);

export const statementOf = (query: InStatement | string, args?: InArgs): Statement => {
  const { sql, args: values = args ?? [] } = typeof query === "string" ? { sql: query } : query;
  if (!Array.isArray(values)) throw new TypeError("Values must be an array: they are bound by position.");
  return { sql, args: (values as Value[]).map(packed) };
};

/**
 * One transaction on a server, with few trips: a statement whose result nobody needs waits for the next one that somebody waits
 * for, those of one turn of the event loop go together, BEGIN goes with the first of them and COMMIT with the last. Each step is
 * run only if the one before it succeeded inside the transaction: after a time-out, the server would run it on its own.
 */
export class ServerTransaction {
  readonly #stream: HranaStream;
  /** Goes with BEGIN. */
  readonly #guard: Statement | undefined;
  #queue: Queued[] = [];
  /** The size of the queue. */
  #text = 0;
  /** The batches so far. Each waits for the one before it. */
  #sent: Promise<void> = Promise.resolve();
  #isScheduled = false;
  #hasBegun = false;
  #hasEnded = false;
  #error: unknown;

  /** @param guard a statement that fails where the database is not as this program knows it */
  constructor(stream: HranaStream, guard?: Statement) {
    this.#stream = stream;
    this.#guard = guard;
  }

  /** For drizzle. */
  get client(): Pick<Transaction, "execute"> {
    return {
      execute: async (query: InStatement | string, args?: InArgs) => {
        const statement = statementOf(query, args);
        if (returnsRows(statement.sql)) return resultSet(await this.query(statement));
        this.add(statement);
        return nothing;
      },
    };
  }

  /** Adds a statement whose result nobody needs. */
  add(statement: Statement): void {
    this.#enqueue({ statement });
  }

  /** Runs a statement. @throws EngineError it failed, or one before it */
  query(statement: Statement): Promise<Result> {
    const waiting = Promise.withResolvers<Result>();
    this.#enqueue({ statement, waiting });
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      // After all that this turn still asks for.
      void yieldToEventLoop().then(() => this.#flush());
    }
    return waiting.promise;
  }

  /**
   * Commits, and adds `last` to the transaction before, unless it has no statements.
   *
   * @returns whether there was anything to commit
   * @throws EngineError with the code `COMMIT_UNKNOWN`: it may be committed. With others, it is not.
   */
  async commit(last: readonly Statement[]): Promise<boolean> {
    this.#hasEnded = true;
    await this.#flush(this.#queue.length > mostSteps);
    if (this.#error !== undefined) throw this.#error;
    if (!this.#hasBegun && this.#queue.length === 0) return false;
    const statements = [
      ...this.#queue.splice(0).map(({ statement }) => statement),
      ...last,
      { sql: "COMMIT", args: [] },
    ];
    const steps = this.#steps(statements);
    const outcomes = await this.#stream.batch(steps).catch((error: unknown) => {
      throw isUnanswered(error) ? unknownCommit(error) : error;
    });
    const first = steps.length - statements.length;
    this.#throwAtBegin(outcomes.slice(0, first));
    throwFirst(outcomes.slice(first, -1));
    const committed = outcomes.at(-1);
    if (committed === "not run" || committed === undefined) throw notInTransaction();
    if ("error" in committed) throw unknownCommit(committed.error);
    return true;
  }

  /** Rolls back. It is not awaited: the stream runs nothing before it, and one that fails is closed. */
  rollback(): void {
    this.#hasEnded = true;
    for (const { waiting } of this.#queue.splice(0)) waiting?.reject(new Error("The transaction was rolled back."));
    if (!this.#hasBegun) return;
    const roll = async () => {
      await this.#sent;
      throwFirst(await this.#stream.batch([{ stmt: { sql: "ROLLBACK", args: [] }, condition: inTransaction }]));
    };
    roll().catch(() => this.#stream.close());
  }

  #enqueue(queued: Queued): void {
    if (this.#hasEnded) throw new Error("The transaction has ended.");
    if (this.#error !== undefined) throw this.#error;
    this.#queue.push(queued);
    this.#text += sizeOf(queued.statement);
    if (this.#text > mostText) void this.#flush();
  }

  /** @param whole whether to send also what nobody waits for, after all that somebody waits for */
  #flush(whole = true): Promise<void> {
    this.#isScheduled = false;
    const last = whole ? this.#queue.length : this.#queue.findLastIndex(({ waiting }) => waiting !== undefined) + 1;
    const queued = this.#queue.splice(0, last);
    this.#text = 0;
    for (const part of inParts(queued)) this.#sent = this.#sent.then(() => this.#send(part));
    return this.#sent;
  }

  async #send(queued: readonly Queued[]): Promise<void> {
    try {
      if (this.#error !== undefined) throw this.#error;
      const steps = this.#steps(queued.map(({ statement }) => statement));
      const all = await this.#stream.batch(steps);
      const first = steps.length - queued.length;
      const outcomes = all.slice(first);
      // Then the others were not run.
      this.#throwAtBegin(all.slice(0, first));
      for (const [at, { waiting }] of queued.entries()) {
        const outcome = outcomes[at];
        throwFirst([outcome ?? "not run"]);
        if (outcome !== undefined && outcome !== "not run" && "result" in outcome) waiting?.resolve(outcome.result);
      }
    } catch (error) {
      this.#error ??= error;
      // Those that have their result ignore it.
      for (const { waiting } of queued) waiting?.reject(error);
    }
  }

  #steps(statements: readonly Statement[]): Step[] {
    const begin = [{ sql: "BEGIN IMMEDIATE", args: [] }, ...(this.#guard === undefined ? [] : [this.#guard])];
    const all = this.#hasBegun ? statements : [...begin, ...statements];
    const first: Partial<Step> = this.#hasBegun ? { condition: inTransaction } : {};
    this.#hasBegun = true;
    return all.map((stmt, at) => (at === 0 ? { stmt, ...first } : { stmt, condition: after(at - 1) }));
  }

  /** @throws EngineError of BEGIN or of the guard */
  #throwAtBegin([begun, guarded]: readonly Outcome[]): void {
    if (begun !== undefined) throwFirst([begun]);
    if (guarded === undefined) return;
    if (guarded !== "not run" && "error" in guarded && guarded.error.message.includes("integer overflow"))
      throw new EngineError("SCHEMA_CHANGED", "the guard refuses the transaction", { cause: guarded.error });
    throwFirst([guarded]);
  }
}

const sizeOf = ({ sql, args }: Statement): number =>
  args.reduce(
    (sum, arg) => sum + ("base64" in arg ? arg.base64.length : "value" in arg ? String(arg.value).length : 0),
    sql.length,
  );

function inParts(queued: readonly Queued[]): Queued[][] {
  const parts: Queued[][] = [];
  let text = Number.POSITIVE_INFINITY;
  for (const one of queued) {
    text += sizeOf(one.statement);
    const part = parts.at(-1);
    if (part === undefined || text > mostText || part.length === mostSteps) {
      parts.push([one]);
      text = sizeOf(one.statement);
    } else part.push(one);
  }
  return parts;
}

const notInTransaction = () => new EngineError("NOT_IN_TRANSACTION", "the server has ended the transaction");

/** Nothing is repeated after COMMIT was sent: the `Idempotency-Key` of the next request tells. */
const unknownCommit = (cause: unknown) =>
  new EngineError("COMMIT_UNKNOWN", "the transaction may be committed", { cause });

/** @throws EngineError that of the first step that failed */
function throwFirst(outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) {
    if (outcome === "not run") throw notInTransaction();
    if ("error" in outcome) throw outcome.error;
  }
}
