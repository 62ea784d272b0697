import { setTimeout } from "node:timers/promises";
import { countdown, yieldToEventLoop } from "../../core/async.ts";
import { seconds } from "../../core/clock.ts";
import { type EngineError, isPassing, isUnanswered } from "./engine-error.ts";
import { type Endpoint, HranaConnection, type HranaStream, type Outcome, type Statement, type Step } from "./hrana.ts";
import type { Result } from "./values.ts";

/** Statements of one batch. */
const mostSteps = 100;

/** Streams for reads, so that a long one delays few others. The server limits its connections of SQLite's. */
const mostReads = 3;

/** Milliseconds for which what can be repeated is: shorter than a request may wait for its answer. */
const longestRepeat = seconds(6);

interface Live {
  connection: HranaConnection;
  writes?: HranaStream;
  reads: HranaStream[];
}

/** The way to one namespace: a connection that is made when it is needed, and again after its end. */
export class Session {
  readonly #endpoint: Endpoint;
  #live: Promise<Live> | undefined;
  #isClosed = false;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  get namespace(): string {
    return this.#endpoint.namespace;
  }

  /** Returns the stream of the transactions. @throws EngineError */
  async writes(): Promise<HranaStream> {
    const live = await this.#open();
    if (live.writes === undefined || live.writes.isClosed) live.writes = live.connection.stream();
    return live.writes;
  }

  /** Runs statements of reads, as one trip. @returns the result or the error of each @throws EngineError */
  read(statements: readonly Statement[]): Promise<Outcome[]> {
    const steps: Step[] = statements.map((stmt) => ({ stmt }));
    return repeated(async () => {
      const outcomes = await (await this.#reads()).batch(steps);
      for (const outcome of outcomes)
        if (typeof outcome === "object" && "error" in outcome) throwIfPassing(outcome.error);
      return outcomes;
    });
  }

  /** Opens another connection for one long piece of work, whose statements may take minutes. */
  async apart<T>(longestWait: number, work: (stream: HranaStream) => Promise<T>): Promise<T> {
    const connection = await HranaConnection.open({ ...this.#endpoint, longestWait });
    try {
      return await work(connection.stream());
    } finally {
      connection.close();
    }
  }

  close(): void {
    this.#isClosed = true;
    void this.#live?.then(({ connection }) => connection.close()).catch(() => undefined);
  }

  async #reads(): Promise<HranaStream> {
    const { reads, connection } = await this.#open();
    const idle = reads.find(({ load }) => load === 0);
    if (idle !== undefined) return idle;
    if (reads.length < mostReads) {
      const stream = connection.stream();
      reads.push(stream);
      return stream;
    }
    return reads.reduce((least, stream) => (stream.load < least.load ? stream : least));
  }

  async #open(): Promise<Live> {
    if (this.#isClosed) throw new Error("The namespace is closed.");
    const live = await this.#live?.catch(() => undefined);
    if (live?.connection.isOpen) return live;
    // Others may have waited for the same connection, and have begun another one.
    const present = await this.#live?.catch(() => undefined);
    if (present?.connection.isOpen) return present;
    this.#live = HranaConnection.open(this.#endpoint).then((connection) => ({ connection, reads: [] }));
    return this.#live;
  }
}

interface Queued {
  statement: Statement;
  waiting: PromiseWithResolvers<Result>;
}

/** Collects the statements of one turn of the event loop, also those of several requests, and sends them together. */
export class ReadQueue {
  readonly #session: Pick<Session, "read">;
  #queue: Queued[] = [];

  constructor(session: Pick<Session, "read">) {
    this.#session = session;
  }

  query(statement: Statement): Promise<Result> {
    const waiting = Promise.withResolvers<Result>();
    if (this.#queue.length === 0) void yieldToEventLoop().then(() => this.#flush());
    this.#queue.push({ statement, waiting });
    return waiting.promise;
  }

  #flush(): void {
    const queued = this.#queue.splice(0);
    for (let from = 0; from < queued.length; from += mostSteps) void this.#send(queued.slice(from, from + mostSteps));
  }

  async #send(queued: readonly Queued[]): Promise<void> {
    try {
      const outcomes = await this.#session.read(queued.map(({ statement }) => statement));
      for (const [at, { waiting }] of queued.entries()) {
        const outcome = outcomes[at];
        if (outcome === undefined || outcome === "not run") waiting.reject(new Error("The server ran no such step."));
        else if ("error" in outcome) waiting.reject(outcome.error);
        else waiting.resolve(outcome.result);
      }
    } catch (error) {
      // Each may have a right answer: one alone is too large, or can't be parsed.
      if (queued.length > 1 && !isUnanswered(error)) for (const one of queued) void this.#send([one]);
      else for (const { waiting } of queued) waiting.reject(error);
    }
  }
}

/** Repeats work while its error passes, for some seconds. @throws the last error */
export async function repeated<T>(work: () => Promise<T>): Promise<T> {
  const remaining = countdown(longestRepeat);
  for (let wait = 10; ; wait = Math.min(2 * wait, 500)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || remaining() <= wait) throw error;
    }
    await setTimeout(wait);
  }
}

/** @throws EngineError it passes */
function throwIfPassing(error: EngineError): void {
  if (isPassing(error)) throw error;
}
