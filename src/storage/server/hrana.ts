/**
 * The client of a libSQL server: Hrana 3 in JSON over a WebSocket, which costs two thirds of the processor time of HTTP. Only
 * what storage needs, batches on streams: `@libsql/hrana-client` makes an object of each row, prints responses that it does not
 * expect, waits for an answer without end, and knows no condition on a whole batch.
 */
import { z } from "zod";
import { connectionLost, EngineError } from "./engine-error.ts";
import { type packed, type Result, resultOf, StatementResult } from "./values.ts";

export interface Statement {
  sql: string;
  args: ReturnType<typeof packed>[];
}

/** When a step of a batch is run. */
export type Condition =
  | { type: "ok"; step: number }
  | { type: "is_autocommit" }
  | { type: "not"; cond: Condition }
  | { type: "and"; conds: readonly Condition[] };

export interface Step {
  stmt: Statement;
  condition?: Condition;
}

/** What became of a step: it was not run if an earlier one of its condition failed. */
export type Outcome = { result: Result } | { error: EngineError } | "not run";

const Failure = z.object({ message: z.string(), code: z.string().nullish() });
const BatchResult = z.object({
  step_results: z.array(StatementResult.nullable()),
  step_errors: z.array(Failure.nullable()),
});
const Message = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello_ok") }),
  z.object({ type: z.literal("hello_error"), error: Failure }),
  z.object({
    type: z.literal("response_ok"),
    request_id: z.number(),
    response: z.object({ result: z.unknown().optional() }),
  }),
  z.object({ type: z.literal("response_error"), request_id: z.number(), error: Failure }),
]);

interface Waiting {
  resolve(result: unknown): void;
  reject(error: EngineError): void;
}

/** Counts what goes to the server: the bench and a test do. */
export interface Traffic {
  /** Called before each trip. @param statements those of one batch */
  onTrip(namespace: string, statements: readonly string[]): void;
}

export interface Endpoint {
  namespace: string;
  /** `ws:` or `wss:`. */
  url: string;
  /** A JWT. */
  token: string | undefined;
  /** Milliseconds after which a server that does not answer is given up. */
  longestWait: number;
  traffic?: Traffic | undefined;
}

const failed = ({ message, code }: z.infer<typeof Failure>) => new EngineError(code ?? "INTERNAL", message);

/** One WebSocket, to one namespace. After its end, every call throws. */
export class HranaConnection {
  readonly #socket: WebSocket;
  readonly #endpoint: Endpoint;
  readonly #waiting = new Map<number, Waiting>();
  #requests = 0;
  #streams = 0;
  #ended: EngineError | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(socket: WebSocket, endpoint: Endpoint, onHello: (error?: EngineError) => void) {
    this.#socket = socket;
    this.#endpoint = endpoint;
    const end = (error: EngineError) => {
      this.#end(error);
      onHello(error);
    };
    socket.addEventListener("open", () => socket.send(JSON.stringify({ type: "hello", jwt: endpoint.token ?? null })));
    socket.addEventListener("close", ({ code, reason }) => end(connectionLost(`closed with ${code} ${reason}`.trim())));
    socket.addEventListener("error", (event) =>
      end(connectionLost("message" in event ? String(event.message) : "the connection failed")),
    );
    socket.addEventListener("message", ({ data }) => {
      const message = Message.safeParse(parsed(data));
      if (!message.success) return end(connectionLost("the server does not speak Hrana 3"));
      this.#take(message.data, onHello, end);
    });
  }

  /** @throws EngineError the server does not answer, or does not accept the token */
  static async open(endpoint: Endpoint): Promise<HranaConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const socket = new WebSocket(endpoint.url, ["hrana3"]);
    const connection = new HranaConnection(socket, endpoint, (error) => (error ? reject(error) : resolve()));
    const late = setTimeout(
      () => connection.#end(connectionLost("the server does not answer"), reject),
      endpoint.longestWait,
    );
    try {
      await promise;
      return connection;
    } finally {
      clearTimeout(late);
    }
  }

  get isOpen(): boolean {
    return this.#ended === undefined;
  }

  /** Opens a stream: a connection of SQLite's, whose batches run one after the other. */
  stream(): HranaStream {
    this.#streams += 1;
    const stream_id = this.#streams;
    const opened = this.#request({ type: "open_stream", stream_id });
    opened.catch(() => undefined);
    return new HranaStream(
      async (steps) => {
        this.#endpoint.traffic?.onTrip(
          this.#endpoint.namespace,
          steps.map(({ stmt }) => stmt.sql),
        );
        // Not awaited before the batch is sent: the server answers in order. Without a stream, the batch fails as well.
        const answer = this.#request({ type: "batch", stream_id, batch: { steps } });
        answer.catch(() => undefined);
        await opened;
        return outcomes(BatchResult.parse(await answer));
      },
      () => void this.#request({ type: "close_stream", stream_id }).catch(() => undefined),
    );
  }

  close(): void {
    this.#end(connectionLost("the connection was closed"));
  }

  #request(request: object): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const request_id = this.#requests;
    this.#requests += 1;
    this.#waiting.set(request_id, { resolve, reject });
    this.#socket.send(JSON.stringify({ type: "request", request_id, request }));
    if (this.#timer === undefined) this.#watch(request_id);
    return promise;
  }

  /** Ends the connection if the oldest request has no answer for too long. One timer for all: a request takes microseconds. */
  #watch(oldest: number): void {
    this.#timer = setTimeout(() => {
      const [first] = this.#waiting.keys();
      this.#timer = undefined;
      if (first === undefined) return;
      if (first <= oldest) this.#end(new EngineError("NO_ANSWER", "the server does not answer"));
      else this.#watch(this.#requests - 1);
    }, this.#endpoint.longestWait);
    this.#timer.unref?.();
  }

  #take(message: z.infer<typeof Message>, onHello: () => void, end: (error: EngineError) => void): void {
    switch (message.type) {
      case "hello_ok":
        onHello();
        break;
      case "hello_error":
        end(failed(message.error));
        break;
      case "response_ok":
        this.#answered(message.request_id)?.resolve(message.response.result);
        break;
      case "response_error":
        this.#answered(message.request_id)?.reject(failed(message.error));
    }
  }

  #answered(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #end(error: EngineError, alsoTell: (error: EngineError) => void = () => undefined): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    clearTimeout(this.#timer);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    alsoTell(error);
    this.#socket.close();
  }
}

/** A stream of a connection. */
export class HranaStream {
  readonly #send: (steps: readonly Step[]) => Promise<Outcome[]>;
  readonly #close: () => void;
  #batches = 0;
  #isClosed = false;

  constructor(send: (steps: readonly Step[]) => Promise<Outcome[]>, close: () => void) {
    this.#send = send;
    this.#close = close;
  }

  /** Rolls back what is not committed. */
  close(): void {
    if (!this.#isClosed) this.#close();
    this.#isClosed = true;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The batches that have no answer yet. */
  get load(): number {
    return this.#batches;
  }

  /** Sends the steps, which are one trip. @throws EngineError nothing is known of any step, or a statement can't be parsed */
  async batch(steps: readonly Step[]): Promise<Outcome[]> {
    this.#batches += 1;
    try {
      return await this.#send(steps);
    } finally {
      this.#batches -= 1;
    }
  }
}

function outcomes({ step_results, step_errors }: z.infer<typeof BatchResult>): Outcome[] {
  return step_results.map((result, at) => {
    const error = step_errors[at];
    if (error) return { error: failed(error) };
    return result === null ? "not run" : { result: resultOf(result) };
  });
}

function parsed(data: unknown): unknown {
  try {
    return typeof data === "string" ? JSON.parse(data) : undefined;
  } catch {
    return undefined;
  }
}
