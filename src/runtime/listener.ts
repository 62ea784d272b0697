/** The HTTP server that each runtime provides for `serve`. */

export interface ServeOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** The variable of the port, for messages. */
  variable?: string;
  fetch(request: Request): Response | Promise<Response>;
  /** Bytes after which the connection is closed. Keep it above the application's own limit, whose 413 has a message. */
  maxBody: number;
  /** After how many seconds without a byte a connection is closed, where the runtime does so. */
  idleSeconds?: number;
}

export interface Listener {
  readonly port: number;
  /** Accepts no more requests. Resolves when all requests in flight have their responses, without a time limit. */
  drain(): Promise<void>;
  /** Closes the connections that remain. */
  closeNow(): Promise<void>;
}

/** `ServeOptions`, with a `fetch` that takes the peer. */
export interface ListenOptions extends Omit<ServeOptions, "fetch"> {
  fetch(request: Request, from: Peer): Response | Promise<Response>;
}

/** The other end of a request's connection. */
export interface Peer {
  address: string | undefined;
  port: number | undefined;
  /** Lets the connection be silent without a time limit, until the result is disposed of. */
  keepOpen?(): Disposable;
}
