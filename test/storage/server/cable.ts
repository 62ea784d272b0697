import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { Frames } from "./frames.ts";

interface Watch {
  isAwaited: (request: string) => boolean;
  before: () => Promise<void>;
  done: () => void;
}

/** A TCP connection to a port of this machine that can stop: nothing passes, and nobody is told. */
export class Cable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isStopped = false;
  #watch: Watch | undefined;

  private constructor(to: number) {
    this.#server = createServer((socket) => {
      this.#keep(socket);
      if (this.#isStopped) return;
      const onward = this.#keep(connect(to, "127.0.0.1"));
      socket.pipe(onward);
      this.#answer(socket, onward);
    });
  }

  static async to(port: number): Promise<Cable> {
    const cable = new Cable(port);
    cable.#server.listen(0, "127.0.0.1");
    await once(cable.#server, "listening");
    return cable;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("It has no port.");
    return address.port;
  }

  stop(): void {
    this.#isStopped = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  /** Ends all connections. New ones pass again. */
  cut(): void {
    this.#isStopped = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  /**
   * Waits until the server has answered the next request that is awaited, and holds that answer until `before` has ended: the server has
   * carried the request out, and the client does not know.
   */
  answered(isAwaited: Watch["isAwaited"], before: Watch["before"]): Promise<void> {
    return new Promise((done) => {
      this.#watch = { isAwaited, before, done };
    });
  }

  /** Passes the answers on, and reads both directions meanwhile. */
  #answer(client: Socket, server: Socket): void {
    const [requests, answers] = [new Frames(), new Frames()];
    let awaited: { id: number; watch: Watch } | undefined;
    let passed = Promise.resolve();
    client.on("data", (bytes: Buffer) => {
      for (const request of requests.take(bytes)) {
        const watch = this.#watch;
        if (watch === undefined || !watch.isAwaited(request)) continue;
        awaited = { id: idOf(request), watch };
        this.#watch = undefined;
      }
    });
    server.on("data", (bytes: Buffer) => {
      const isAwaited = answers.take(bytes).some((answer) => idOf(answer) === awaited?.id);
      const { watch } = (isAwaited && awaited) || {};
      if (isAwaited) awaited = undefined;
      passed = passed.then(async () => {
        await watch?.before();
        client.write(bytes);
        watch?.done();
      });
    });
    server.on("end", () => void passed.then(() => client.end()));
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#sockets.delete(socket));
    return socket;
  }
}

const idOf = (message: string): number => JSON.parse(message).request_id;

/** Returns whether a request is a part of an approval's transaction that has counted the flight, and does not commit it. */
export const countsFlight = (request: string): boolean =>
  request.includes('insert into \\"counter_postings\\"') && !request.includes("COMMIT");
