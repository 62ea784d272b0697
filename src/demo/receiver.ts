/**
 * A webhook receiver as an integrator would write it: verifies each delivery's signatures, and responds with 204, or with
 * 401 if they are wrong. Uses HTTPS on the loopback. The demo and `windsock listen` run it.
 */
import { createServer, type Server } from "node:https";
import { z } from "zod";
import type { Certificate } from "./certificate.ts";
import { isGenuine } from "./verify-delivery.ts";

const Body = z.object({
  event: z.object({
    type: z.string(),
    id: z.string(),
    occurred_at: z.string(),
    data: z.record(z.string(), z.unknown()),
  }),
});

/** A delivery with a valid signature. */
export interface Delivery {
  id: string;
  signature: string;
  event: z.infer<typeof Body>["event"];
  /** Milliseconds between the event and its delivery. */
  after: number;
}

export interface Receiver {
  url: string;
  /** Called for each verified delivery. */
  onDelivery(listener: (delivery: Delivery) => void): void;
  close(): void;
}

interface ReceiverOptions {
  certificate: Certificate;
  /** By default any free port. */
  port?: number;
  /** Returns the secrets to verify with. Without one, every delivery is rejected. */
  secrets(): readonly string[];
  /** Called for each request that was rejected. */
  onRejected?(): void;
}

/** @throws the port is taken */
export async function startReceiver({
  certificate,
  port = 0,
  secrets,
  onRejected,
}: ReceiverOptions): Promise<Receiver> {
  const listeners: ((delivery: Delivery) => void)[] = [];

  const server = createServer(certificate, (request, response) => {
    const arrived = Date.now();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const isVerified = secrets().some((secret) => isGenuine(body, request.headers, secret));
      response.writeHead(isVerified ? 204 : 401).end();
      if (!isVerified) {
        onRejected?.();
        return;
      }
      const signature = String(request.headers["x-svc-webhook-signature"]);
      const { event } = Body.parse(JSON.parse(body));
      const id = String(request.headers["x-svc-webhook-delivery"]);
      const delivery = { id, signature, event, after: Math.max(0, arrived - Date.parse(event.occurred_at)) };
      for (const listener of listeners) listener(delivery);
    });
  });
  return {
    url: `https://127.0.0.1:${await listen(server, port)}/webhooks`,
    onDelivery: (listener) => void listeners.push(listener),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** @returns the port */
async function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The receiver has no port.");
  return address.port;
}
