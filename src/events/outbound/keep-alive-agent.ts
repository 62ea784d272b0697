import type { ClientRequest } from "node:http";
import { Agent, type AgentOptions } from "node:https";
import type { Duplex } from "node:stream";
import { seconds } from "../../core/clock.ts";

/** Limits on idle connections. */
export interface KeepAliveLimits {
  perHost: number;
  total: number;
  /** In milliseconds. */
  idleTimeout: number;
}

/**
 * The idle timeout is less than the 5 seconds after which common receivers close an idle connection. The request that they
 * close it on would fail. The agent itself heeds a shorter `Keep-Alive: timeout` of the receiver.
 */
export const defaultKeepAliveLimits: KeepAliveLimits = { perHost: 8, total: 256, idleTimeout: seconds(4) };

/**
 * Keeps idle connections for reuse, within limits on their time and total number: each takes a file descriptor. Above the
 * total, it closes the one that has been idle longest.
 */
export class KeepAliveAgent extends Agent {
  /** Longest idle first. */
  readonly #idle = new Set<Duplex>();
  readonly #known = new WeakSet<Duplex>();

  constructor({ perHost, total, idleTimeout }: KeepAliveLimits, options: AgentOptions) {
    super({ ...options, maxFreeSockets: perHost, timeout: idleTimeout });
    // The base class's listener ran before and destroyed the connections that it does not keep.
    this.on("free", (connection: Duplex) => {
      if (connection.destroyed) return;
      this.#keep(connection);
      const [oldest] = this.#idle;
      if (this.#idle.size > total) oldest?.destroy();
    });
  }

  override reuseSocket(connection: Duplex, request: ClientRequest): void {
    this.#idle.delete(connection);
    super.reuseSocket(connection, request);
  }

  #keep(connection: Duplex): void {
    this.#idle.add(connection);
    if (this.#known.has(connection)) return;
    this.#known.add(connection);
    connection.once("close", () => this.#idle.delete(connection));
  }
}
