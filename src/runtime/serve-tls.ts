/** Listens for HTTPS with a certificate that can be changed. */
import { atMost, countdown } from "../core/async.ts";
import type { ServeOptions } from "./listener.ts";
import { listenFor, withClearError } from "./serve.ts";
import { openTlsRelay, type ServerCertificate } from "./tls-relay.ts";

export interface ServingTls {
  readonly port: number;
  /** Uses another certificate for the connections to come. @throws it is not valid: the old one is used further */
  use(certificate: ServerCertificate): void;
  /** As of `Serving`. */
  stop(deadlineMs: number): Promise<void>;
}

/** Milliseconds in which clients read the ends of their responses at a stop. */
const restAtStop = 500;

export async function serveTls({
  certificate,
  ...options
}: ServeOptions & { certificate: ServerCertificate }): Promise<ServingTls> {
  const { host, port } = options;
  let relay: Awaited<ReturnType<typeof openTlsRelay>> | undefined;
  // Another process of this machine could connect to it, too. It is no client: it would have the address of this machine.
  const inner = { ...options, host: "127.0.0.1", port: 0 };
  const listener = listenFor(inner, (peer) => relay?.addressOf(peer.port) ?? null);
  try {
    relay = await withClearError(options, () => openTlsRelay({ host, port, certificate, to: listener.port }));
  } catch (error) {
    await listener.closeNow();
    throw error;
  }
  const opened = relay;
  return {
    port: opened.port,
    use: opened.use,
    async stop(deadlineMs) {
      const remaining = countdown(deadlineMs);
      opened.stopListening();
      await atMost(remaining(), listener.drain());
      await atMost(Math.min(restAtStop, remaining()), opened.ended());
      await listener.closeNow();
      opened.closeNow();
    },
  };
}
