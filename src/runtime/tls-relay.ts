/**
 * Terminates TLS in front of the HTTP server of the runtime, and passes the bytes on to it over the loopback interface.
 * Neither `Bun.serve` nor `Deno.serve` can change the certificate of a running server, and to replace the server cuts
 * connections (README.md). `node:tls` can change it on both.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { seconds } from "../core/clock.ts";

/** PEM. */
export interface ServerCertificate {
  /** The certificate, and then those between it and its authority. */
  cert: string;
  key: string;
}

export interface TlsRelay {
  /** For the connections to come. Those that are open keep theirs. */
  use(certificate: ServerCertificate): void;
  /** The client's address, by the port of the connection to the HTTP server; undefined if it is not one of the relay's. */
  addressOf(port: number | undefined): string | undefined;
  stopListening(): void;
  /** Resolves when all connections have ended. */
  ended(): Promise<void>;
  closeNow(): void;
}

interface RelayOptions {
  host: string;
  port: number;
  certificate: ServerCertificate;
  /** The port of the HTTP server on 127.0.0.1. */
  to: number;
}

/** As long as Bun waits for the header of a request. */
const longestHandshake = seconds(12);
/** How long a client may take to read the end of a response whose connection the HTTP server has closed. */
const longestRest = seconds(10);

/** @throws it can't listen */
export async function openTlsRelay({
  host,
  port,
  certificate,
  to,
}: RelayOptions): Promise<TlsRelay & { port: number }> {
  // Only who serves HTTPS waits for it.
  const { createServer } = await import("node:tls");
  const addresses = new Map<number, string | undefined>();
  const open = new Set<Socket>();
  const server = createServer({
    ...contextOf(certificate),
    handshakeTimeout: longestHandshake,
    ALPNProtocols: ["http/1.1"],
  });
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => open.delete(socket));
  });
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  server.on("secureConnection", (client) => {
    open.add(client);
    client.once("close", () => open.delete(client));
    pass(client, to, (own) => {
      addresses.set(own, client.remoteAddress);
      return () => addresses.delete(own);
    });
  });
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    use: (next) => server.setSecureContext(contextOf(next)),
    addressOf: (own) => (own === undefined ? undefined : addresses.get(own)),
    stopListening: () => void server.close(),
    async ended() {
      await Promise.all([...open].map((socket) => once(socket, "close")));
    },
    closeNow() {
      for (const socket of open) socket.destroy();
    },
  };
}

const contextOf = ({ cert, key }: ServerCertificate) => ({ cert, key, minVersion: "TLSv1.2" as const });

/** @param note is called with the port of the connection to the server, before that gets a byte, and returns what forgets it */
function pass(client: TLSSocket, to: number, note: (port: number) => () => void): void {
  client.setNoDelay(true);
  const server = connect({ port: to, host: "127.0.0.1", noDelay: true });
  let forget: (() => void) | undefined;
  server.once("connect", () => {
    if (server.localPort !== undefined) forget = note(server.localPort);
    client.pipe(server);
    server.pipe(client);
  });
  client.on("error", () => client.destroy());
  server.on("error", () => client.destroy());
  client.once("close", () => server.destroy());
  server.once("close", () => {
    forget?.();
    // Not at once: the client may still be reading.
    client.setTimeout(longestRest, () => client.destroy());
  });
}
