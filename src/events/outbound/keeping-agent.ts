import type { ClientRequest } from "node:http";
import { Agent, type AgentOptions } from "node:https";
import type { Duplex } from "node:stream";
import { seconds } from "../../core/clock.ts";

/** Which connections are kept while nothing is sent on them. */
export interface Keeping {
  /** So many to each host, */
  perHost: number;
  /** so many to all of them together, */
  inAll: number;
  /** and each so many milliseconds. */
  idle: number;
}

export const defaultKeeping: Keeping = { perHost: 8, inAll: 256, idle: seconds(10) };

/**
 * Keeps connections for the next request, but not for ever and not without end: each takes a file descriptor, and with
 * enough hosts they would run out. Of too many, the one unused for longest is closed.
 */
export class KeepingAgent extends Agent {
  /** Unused for longest first. */
  readonly #kept = new Set<Duplex>();
  readonly #known = new WeakSet<Duplex>();

  constructor({ perHost, inAll, idle }: Keeping, options: AgentOptions) {
    super({ ...options, maxFreeSockets: perHost, timeout: idle });
    // The agent's own listener came first: what it does not keep is destroyed by now.
    this.on("free", (connection: Duplex) => {
      if (connection.destroyed) return;
      this.#keep(connection);
      const [oldest] = this.#kept;
      if (this.#kept.size > inAll) oldest?.destroy();
    });
  }

  override reuseSocket(connection: Duplex, request: ClientRequest): void {
    this.#kept.delete(connection);
    super.reuseSocket(connection, request);
  }

  #keep(connection: Duplex): void {
    this.#kept.add(connection);
    if (this.#known.has(connection)) return;
    this.#known.add(connection);
    connection.once("close", () => this.#kept.delete(connection));
  }
}
