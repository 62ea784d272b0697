/**
 * A webhook receiver as an integrator would write it: verifies each delivery's signature, and responds with 204, or with
 * 401 if the signature is wrong. Uses HTTPS on the loopback, with its own certificate.
 */
import { createServer, type Server } from "node:https";
import { z } from "zod";
import { equal, hmac } from "../core/crypto.ts";
import { selfSigned } from "./certificate.ts";

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
  /** The certificate (PEM) to trust. */
  certificate: string;
  /** Sets the secret. Without it, every delivery is rejected. */
  verifyWith(secret: string): void;
  /** Called for each verified delivery. */
  onDelivery(listener: (delivery: Delivery) => void): void;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const { key, cert } = selfSigned(new Date());
  const listeners: ((delivery: Delivery) => void)[] = [];
  let secret: string | undefined;

  const server = createServer({ key, cert }, (request, response) => {
    const arrived = Date.now();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const signature = String(request.headers["x-svc-webhook-signature"]);
      const isGenuine = secret !== undefined && isSigned(body, signature, secret);
      response.writeHead(isGenuine ? 204 : 401).end();
      if (!isGenuine) return;
      const { event } = Body.parse(JSON.parse(body));
      const id = String(request.headers["x-svc-webhook-delivery"]);
      const delivery = { id, signature, event, after: Math.max(0, arrived - Date.parse(event.occurred_at)) };
      for (const listener of listeners) listener(delivery);
    });
  });
  return {
    url: `https://127.0.0.1:${await portOf(server)}/webhooks`,
    certificate: cert,
    verifyWith(key) {
      secret = key;
    },
    onDelivery: (listener) => void listeners.push(listener),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns whether the signature is the HMAC-SHA256 of the raw body. Compares in constant time. */
const isSigned = (body: string, signature: string, secret: string): boolean =>
  equal(Buffer.from(signature), Buffer.from(`sha256=${hmac(Buffer.from(secret), body).toString("hex")}`));

async function portOf(server: Server): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The demo's receiver has no port.");
  return address.port;
}
