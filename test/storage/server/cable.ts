import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A TCP connection to a port of this machine that can stop: nothing passes, and nobody is told. */
export class Cable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isStopped = false;

  private constructor(to: number) {
    this.#server = createServer((socket) => {
      this.#keep(socket);
      if (this.#isStopped) return;
      const onward = this.#keep(connect(to, "127.0.0.1"));
      socket.pipe(onward).pipe(socket);
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

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#sockets.delete(socket));
    return socket;
  }
}
