/** What `serve` needs of a runtime: a server of its own, to be listened with. */

export interface ServeOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  fetch(request: Request): Response | Promise<Response>;
  /** Bytes after which the connection is cut. Keep it above the application's own limit, whose 413 says more. */
  maxBody: number;
}

/** What a runtime's own server has to do for `serve`. */
export interface Listener {
  readonly port: number;
  /** Takes no more requests; ends when those in flight have their answers, however long that takes. */
  drain(): Promise<void>;
  /** Cuts what is left. */
  cut(): Promise<void>;
}

/** `ServeOptions`, with a `fetch` that is told the peer's address. */
export interface ListenOptions extends Omit<ServeOptions, "fetch"> {
  fetch(request: Request, peer: string | undefined): Response | Promise<Response>;
}
