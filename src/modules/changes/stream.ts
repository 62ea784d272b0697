/** One client's stream, as WHATWG's server-sent events: changes are pushed, and a client that does not read is dropped. */
import type { Instant } from "../../core/clock.ts";
import type { SessionId } from "../../core/ids.ts";
import type { Viewer } from "./audience.ts";
import type { Ending } from "./changes.schemas.ts";

/** Bytes that may wait for the client. It must hold what a client may have missed (`mostMissed`). */
const mostWaiting = 128 * 1024;

const encoder = new TextEncoder();

export const eventBytes = (event: string, data: object, id?: string): Uint8Array<ArrayBuffer> =>
  encoder.encode(`${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

const heartbeat = encoder.encode(":\n\n");

interface Reader extends Viewer {
  readonly sessionId: SessionId;
  /** When the access token expires. */
  readonly expiresAt: Instant;
}

export class ChangeStream {
  readonly reader: Reader;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  /** The last revision that the client was told. */
  #told = "";

  /** @param onEnd called once, when it ends for whatever reason */
  constructor(reader: Reader, onEnd: (stream: ChangeStream) => void) {
    this.reader = reader;
    this.#onEnd = onEnd;
    this.body = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.#close(() => undefined),
      },
      { highWaterMark: mostWaiting, size: (bytes) => bytes?.byteLength ?? 0 },
    );
  }

  readonly #onEnd: (stream: ChangeStream) => void;

  get isOpen(): boolean {
    return this.#controller !== undefined;
  }

  /** @param revision the client's position after these bytes */
  send(bytes: Uint8Array<ArrayBuffer>, revision?: string): void {
    if (this.#controller === undefined) return;
    this.#told = revision ?? this.#told;
    this.#controller.enqueue(bytes);
    if ((this.#controller.desiredSize ?? 0) <= 0)
      this.#close((controller) => controller.error(new Error("The client does not read.")));
  }

  /** Keeps the connection open, and tells a client that saw nothing of the last changes how far they are. */
  beat(revision: string): void {
    this.send(this.#told === revision ? heartbeat : encoder.encode(`id: ${revision}\n\n`), revision);
  }

  end(reason: Ending): void {
    this.send(eventBytes("end", { reason }));
    this.#close((controller) => controller.close());
  }

  #close(how: (controller: ReadableStreamDefaultController) => void): void {
    const controller = this.#controller;
    if (controller === undefined) return;
    this.#controller = undefined;
    how(controller);
    this.#onEnd(this);
  }
}
