/** A webhook receiver: an HTTPS server on loopback. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TlsOptions } from "node:tls";
import type { Identity } from "./certificate.ts";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Responds to one request. Default: 204. */
export type Answering = (response: ServerResponse, received: Received, count: number) => void;

export interface Receiver {
  port: number;
  received: Received[];
  answer: Answering;
  close(): Promise<void>;
}

const open = new Set<Receiver>();

export async function newReceiver(tls: Identity & TlsOptions, answer?: Answering): Promise<Receiver> {
  const server = createServer(tls, (request, response) => {
    response.on("error", () => undefined);
    void read(request).then((body) => {
      const item = { path: request.url ?? "", headers: request.headers, body };
      receiver.received.push(item);
      receiver.answer(response, item, receiver.received.length);
    });
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: Receiver = {
    port: (server.address() as AddressInfo).port,
    received: [],
    answer: answer ?? ((response) => response.writeHead(204).end()),
    async close() {
      if (!open.delete(receiver)) return;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  open.add(receiver);
  return receiver;
}

export async function closeReceivers(): Promise<void> {
  await Promise.all([...open].map((receiver) => receiver.close()));
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
